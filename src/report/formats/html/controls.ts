import { html, type Markup, trusted } from './markup.ts';

/** An outcome that can be chosen, and how many have it. */
interface Choice {
  readonly value: string;
  readonly name: string;
  readonly number: number;
}

/**
 * The search and the choice of outcomes above entries. Hidden until the script of the page shows them: they do nothing
 * without it.
 */
export function controls(choices: readonly Choice[], { canFold }: { readonly canFold: boolean }): Markup {
  const all = choices.reduce((sum, { number }) => sum + number, 0);
  const radios = [{ value: '', name: 'all', number: all }, ...choices].map(
    ({ value, name, number }, index) =>
      html`<label class="chip"><input type="radio" name="outcome" value="${value}"${trusted(index === 0 ? ' checked' : '')}> ${name} <span class="soft">${number}</span></label>`,
  );
  const buttons = html`<p class="buttons"><button type="button" data-open="true">Open all shown</button> <button type="button" data-open="false">Close all</button></p>`;
  return html`<div class="controls" hidden>
<label class="search">Search <input type="search" placeholder="id, words, status, evidence" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>Outcome</legend>${radios}</fieldset>
${canFold ? buttons : undefined}</div>
<p class="shown" role="status" hidden></p>
`;
}
