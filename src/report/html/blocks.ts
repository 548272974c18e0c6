/** The blocks of a document as HTML. */

import type { BodyEvidence } from '../../result/result.ts';
import { count, excerpt } from '../../text.ts';
import type { Block, FindingBlock, Item, RequirementRow, RequirementsBlock, TableBlock, Tone } from '../blocks.ts';
import { bodyText, type EvidenceLine, piecesOf } from '../evidence-lines.ts';
import { html, joined, type Markup, type MarkupValue, prose, trusted } from './markup.ts';

const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', unsure: '?', plain: '–' };
const LONGEST_BODY = 20_000;
/** Longer texts are folded. */
const AT_ONCE = 1_500;

/** The sign of a tone. It is not read aloud, as words always stand beside it. */
const sign = (tone: Tone): Markup => html`<span class="sign ${tone}" aria-hidden="true">${SIGNS[tone]}</span>`;

/** The anchor of a requirement; that of LIST-2 is `LIST-2`. */
const anchor = (id: string): string => id.replace(/[^A-Za-z0-9.-]/g, '_');
const links = (ids: readonly string[]): Markup =>
  joined(
    ids.map((id) => html`<a class="id" href="#${anchor(id)}">${id}</a>`),
    ', ',
  );

function shown(text: string): Markup {
  const whole = excerpt(text, LONGEST_BODY);
  if (whole.length <= AT_ONCE) return html`<pre>${whole}</pre>`;
  const summary = html`<code>${excerpt(whole, 120)}</code> (${count(text.length, 'character')})`;
  return html`<details><summary>${summary}</summary><pre>${whole}</pre></details>`;
}

/** A body, in which what is wrong is marked. */
function bodyMarkup(body: BodyEvidence): Markup {
  if (body.wrong === undefined) return shown(bodyText(body, LONGEST_BODY));
  const { lead, before, wrong, after, tail } = piecesOf(body, AT_ONCE);
  return html`<pre><span class="soft">${lead}</span>${before}<mark>${wrong}</mark>${after}<span class="soft">${tail}</span></pre>`;
}

/** A command with a button that copies it, hidden until the script shows it, as it needs it. */
function commandMarkup(label: string, text: string): Markup {
  const button = html`<button type="button" aria-label="Copy the ${label} command" hidden>Copy</button>`;
  return html`<span class="copy"><span role="status"></span> ${button}</span><pre>${text}</pre>`;
}

function lineMarkup({ kind, label, text, body, sentAt, isExtra = false }: EvidenceLine): Markup {
  const term = html`<dt>${label}</dt>`;
  if (kind === 'sentence') return html`${term}<dd>${prose(text)}</dd>`;
  if (kind === 'command') return html`${term}<dd>${commandMarkup(label, text)}</dd>`;
  if (isExtra && kind === 'header') {
    const lines = count(text.split('\n').length - 1, 'header');
    return html`${term}<dd><details><summary>${lines}</summary><pre>${text}</pre></details></dd>`;
  }
  const time = sentAt && html`<span class="soft">sent at ${sentAt}</span>`;
  return html`${term}<dd>${shown(text)}${body && bodyMarkup(body)}${time}</dd>`;
}

const evidenceMarkup = (lines: readonly EvidenceLine[]): Markup =>
  html`<dl class="evidence">${lines.map(lineMarkup)}</dl>`;

function findingMarkup({ tone, number, says, requirements, rate, lines }: FindingBlock): Markup {
  return html`<article class="${tone}" id="finding-${number}" aria-labelledby="finding-${number}-title">
<h3 id="finding-${number}-title">${number}. ${prose(says)}</h3>
<p>${links(requirements)} <span class="soft">· ${rate}</span></p>
${evidenceMarkup(lines)}</article>
`;
}

function itemMarkup({ lead, text, ids }: Item): Markup {
  const start = lead === undefined ? undefined : html`<strong>${prose(lead)}</strong> `;
  const end = ids === undefined ? undefined : html` <span class="soft">(${links(ids)})</span>`;
  return html`<li>${start}${prose(text)}${end}</li>`;
}

function tableMarkup({ caption, columns, rows, texts = 1 }: TableBlock): Markup {
  const numberClass = (at: number): Markup => trusted(at < texts ? '' : ' class="number"');
  const lines = rows.map(([first = '', ...cells]) => {
    const others = cells.map((cell, at) => html`<td${numberClass(at + 1)}>${cell}</td>`);
    return html`<tr><th scope="row">${first}</th>${others}</tr>\n`;
  });
  const heads = columns.map((name, at) => html`<th scope="col"${numberClass(at)}>${name}</th>`);
  return html`<div class="wide" role="region" aria-label="Table: ${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${lines}</tbody></table></div>
`;
}

const detail = (term: string, content: MarkupValue): Markup => html`<dt>${term}</dt><dd>${content}</dd>`;

/** A requirement as an entry that unfolds; its id is its anchor. */
function rowMarkup({ id, tone, outcome, says, note, facts, findings }: RequirementRow): Markup {
  const place = anchor(id);
  const own = facts.map(([name, texts]) => {
    const list = html`<ul>${texts.map((text) => html`<li>${prose(text)}</li>`)}</ul>`;
    return detail(name, texts.length === 1 ? prose(texts[0] ?? '') : list);
  });
  const failed = findings.map(
    ({ number, says: what, request }) =>
      html`<li><a href="#finding-${number}">${number}. ${prose(what)}</a>${request && html`, with <code>${request}</code>`}</li>`,
  );
  const shownBy = failed.length === 0 ? undefined : detail('findings', html`<ul>${failed}</ul>`);
  const state = html`<span class="status ${tone}">${outcome}</span>${note && html` <span class="soft">${note}</span>`}`;
  const cells = html`<span class="id">${id}</span><span class="says">${prose(says)}</span>`;
  return html`<details class="requirement ${tone}" id="${place}" data-outcome="${outcome}">
<summary>${sign(tone)}${cells}<span class="state">${state}</span></summary>
<dl class="evidence">${shownBy}${own}${detail('link', html`<a href="#${place}">#${place}</a>`)}</dl></details>
`;
}

/** Search and choice of outcomes, hidden until the script shows them, as they need it. */
function controls(rows: readonly RequirementRow[]): Markup {
  const outcomes = [...new Set(rows.map(({ outcome }) => outcome))];
  const choices = ['', ...outcomes].map((value) => {
    const number = rows.filter(({ outcome }) => outcome === value).length;
    const input = html`<input type="radio" name="outcome" value="${value}"${trusted(value === '' ? ' checked' : '')}>`;
    return html`<label class="chip">${input} ${value || 'all'} <span class="soft">${number || ''}</span></label>`;
  });
  return html`<div class="controls" hidden>
<label class="search">Search <input type="search" placeholder="id, words, outcome" autocomplete="off"></label>
<fieldset><legend>Outcome</legend>${choices}</fieldset></div>
<p class="shown" role="status" hidden></p>
`;
}

function requirementsMarkup({ groups }: RequirementsBlock): Markup {
  const parts = groups.map(({ title, summary, rows }, at) => {
    const id = `part-${at + 1}`;
    const heading = html`<h3 id="${id}">${title} <span class="soft">${summary}</span></h3>`;
    return html`<section aria-labelledby="${id}" data-group>${heading}
${rows.map(rowMarkup)}</section>
`;
  });
  return html`${controls(groups.flatMap(({ rows }) => rows))}${parts}`;
}

export function blockMarkup(block: Block): Markup {
  switch (block.kind) {
    case 'list':
      return html`<ul>${block.items.map(itemMarkup)}</ul>`;
    case 'evidence':
      return evidenceMarkup(block.lines);
    case 'finding':
      return findingMarkup(block);
    case 'requirements':
      return requirementsMarkup(block);
    case 'table':
      return tableMarkup(block);
  }
}
