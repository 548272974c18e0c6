/** What the script of a page uses of the document and its elements. */
interface Page {
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  addEventListener(type: string, listener: (event: { readonly target: PageElement }) => void): void;
}

interface PageElement extends Page {
  hidden: boolean;
  open?: boolean;
  value?: string;
  checked?: boolean;
  textContent: string | null;
  readonly dataset: Record<string, string | undefined>;
  readonly classList: { toggle(name: string, force: boolean): void };
  readonly parentElement: PageElement | null;
  readonly previousElementSibling: PageElement | null;
  append(element: PageElement): void;
  closest(selector: string): PageElement | null;
  getAttribute(name: string): string | null;
  scrollIntoView(): void;
}

interface PageDocument extends Page {
  createElement(name: string): PageElement;
  getElementById(id: string): PageElement | null;
}

interface PageWindow {
  readonly location: { readonly hash: string };
  readonly navigator: { readonly clipboard?: { writeText(text: string): Promise<void> } | undefined };
  addEventListener(type: string, listener: () => void): void;
}

/**
 * The script of every page, which has its text: it must use nothing from outside itself. Without it the page shows
 * everything, folded, and the controls stay hidden.
 *
 * An entry has `data-outcome`; entries stand in groups (`data-group`), which are hidden when none of theirs is shown.
 */
export function enhance(page: PageDocument, window: PageWindow): void {
  const entries = [...page.querySelectorAll('[data-outcome]')];
  const controls = page.querySelector('.controls');
  const search = page.querySelector('.controls input[type=search]');
  const choices = [...page.querySelectorAll('.controls input[type=radio]')];
  const shown = page.querySelector('.shown');

  function filter(): void {
    const words = (search?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const outcome = choices.find(({ checked }) => checked)?.value ?? '';
    const has = (element: PageElement): boolean => {
      const text = (element.textContent ?? '').toLowerCase();
      return words.every((word) => text.includes(word));
    };
    for (const entry of entries) {
      entry.hidden = (outcome !== '' && entry.dataset['outcome'] !== outcome) || !has(entry);
      const summary = entry.querySelector('summary');
      entry.classList.toggle('inside', summary !== null && !has(summary));
    }
    for (const group of page.querySelectorAll('[data-group]')) {
      group.hidden = [...group.querySelectorAll('[data-outcome]')].every(({ hidden }) => hidden);
    }
    const number = entries.filter(({ hidden }) => !hidden).length;
    if (shown === null) return;
    shown.hidden = number === entries.length && words.length === 0;
    shown.textContent = shown.hidden ? '' : `${number} of ${entries.length} requirements shown`;
  }

  function choose(outcome: string): void {
    for (const choice of choices) choice.checked = choice.value === outcome;
    if (search !== null) search.value = '';
    filter();
  }

  /** Shows what the address points to, wherever it is folded or filtered out. */
  function reveal(): void {
    // No id has a character that an address would have to encode.
    const target = page.getElementById(window.location.hash.slice(1));
    if (target?.closest('[data-outcome]')?.hidden) choose('');
    let folded = target?.closest('details');
    while (folded) {
      folded.open = true;
      folded = folded.parentElement?.closest('details');
    }
    target?.scrollIntoView();
  }

  const { clipboard } = window.navigator;
  for (const command of clipboard === undefined ? [] : page.querySelectorAll('.command')) {
    const button = page.createElement('button');
    const label = `Copy ${command.previousElementSibling?.textContent ?? 'command'}`;
    const text = command.textContent ?? '';
    const say = (result: string) => Object.assign(button, { textContent: result });
    Object.assign(button, { type: 'button', className: 'copy', textContent: label });
    button.addEventListener('click', () => {
      void clipboard?.writeText(text).then(
        () => say('Copied'),
        () => say('Copying was refused'),
      );
    });
    button.addEventListener('blur', () => say(label));
    command.append(button);
  }

  if (controls !== null) controls.hidden = false;
  controls?.addEventListener('input', filter);
  page.addEventListener('click', ({ target }) => {
    const control = target.closest('[data-open], [data-choose], a[href^="#"]');
    if (control === null) return;
    const { open, choose: outcome } = control.dataset;
    for (const entry of open === undefined ? [] : entries) if (!entry.hidden) entry.open = open === 'true';
    if (outcome !== undefined) choose(outcome);
    // The address does not change when the same link is followed again.
    if (control.getAttribute('href') === window.location.hash) reveal();
  });
  window.addEventListener('hashchange', reveal);
  // What a browser kept of an earlier visit.
  filter();
  reveal();
}
