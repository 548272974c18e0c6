/** What the script of a page uses of an element. */
interface PageElement {
  hidden: boolean;
  /** Of a `details`. */
  open?: boolean;
  /** Of an input. */
  value?: string;
  checked?: boolean;
  type?: string;
  className: string;
  textContent: string | null;
  readonly tagName: string;
  readonly dataset: Record<string, string | undefined>;
  readonly classList: { toggle(name: string, force: boolean): void };
  readonly parentElement: PageElement | null;
  readonly previousElementSibling: PageElement | null;
  append(element: PageElement): void;
  closest(selector: string): PageElement | null;
  focus(options: { readonly preventScroll: boolean }): void;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  scrollIntoView(): void;
  addEventListener(type: string, listener: () => void): void;
}

/** What it uses of the document. */
interface PageDocument {
  createElement(name: string): PageElement;
  getElementById(id: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  addEventListener(type: string, listener: (event: { readonly target: PageElement }) => void): void;
}

/** What it uses of the window. */
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
  const groups = [...page.querySelectorAll('[data-group]')];
  const controls = page.querySelector('.controls');
  const search = page.querySelector('.controls input[type=search]');
  const choices = [...page.querySelectorAll('.controls input[type=radio]')];
  const shown = page.querySelector('.shown');
  const texts = new Map<PageElement, string>();
  const textOf = (element: PageElement): string => {
    const text = texts.get(element) ?? (element.textContent ?? '').toLowerCase();
    texts.set(element, text);
    return text;
  };

  function filter(): void {
    const words = (search?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const outcome = choices.find(({ checked }) => checked)?.value ?? '';
    const has = (element: PageElement): boolean => words.every((word) => textOf(element).includes(word));
    let number = 0;
    for (const entry of entries) {
      const [isChosen, matches] = [outcome === '' || entry.dataset['outcome'] === outcome, has(entry)];
      entry.hidden = !(isChosen && matches);
      if (!entry.hidden) number += 1;
      const summary = entry.querySelector('summary');
      entry.classList.toggle('inside', summary !== null && matches && !has(summary));
    }
    for (const group of groups) {
      group.hidden = [...group.querySelectorAll('[data-outcome]')].every(({ hidden }) => hidden);
    }
    if (shown !== null) {
      shown.hidden = number === entries.length && words.length === 0;
      shown.textContent = shown.hidden ? '' : `${number} of ${entries.length} requirements shown`;
    }
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
    if (target === null) return;
    if (target.closest('[data-outcome]')?.hidden) choose('');
    for (let element: PageElement | null = target; element !== null; element = element.parentElement) {
      if (element.tagName === 'DETAILS') element.open = true;
    }
    target.scrollIntoView();
    if (target.tagName === 'DETAILS') target.querySelector('summary')?.focus({ preventScroll: true });
  }

  function openAll(isOpen: boolean): void {
    for (const entry of entries) if (!entry.hidden && entry.tagName === 'DETAILS') entry.open = isOpen;
  }

  let unfolded: PageElement[] = [];
  window.addEventListener('beforeprint', () => {
    unfolded = [...page.querySelectorAll('details:not([open])')];
    for (const one of unfolded) one.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const one of unfolded) one.open = false;
  });

  const { clipboard } = window.navigator;
  for (const command of clipboard === undefined ? [] : page.querySelectorAll('.command')) {
    const button = page.createElement('button');
    const label = `Copy ${command.previousElementSibling?.textContent ?? 'command'}`;
    const text = command.textContent ?? '';
    Object.assign(button, { type: 'button', className: 'copy', textContent: label });
    button.addEventListener('click', () => {
      const say = (result: string) => Object.assign(button, { textContent: result });
      void clipboard?.writeText(text).then(
        () => say('Copied'),
        () => say('Copying was refused'),
      );
    });
    button.addEventListener('blur', () => Object.assign(button, { textContent: label }));
    command.append(button);
  }

  if (controls !== null) controls.hidden = false;
  search?.addEventListener('input', filter);
  for (const choice of choices) choice.addEventListener('change', filter);
  page.addEventListener('click', ({ target }) => {
    const control = target.closest('[data-open], [data-choose], a[href^="#"]');
    if (control === null) return;
    const { open, choose: outcome } = control.dataset;
    if (open !== undefined) openAll(open === 'true');
    if (outcome !== undefined) choose(outcome);
    // The address does not change when the same link is followed again.
    if (control.getAttribute('href') === window.location.hash) reveal();
  });
  window.addEventListener('hashchange', reveal);
  // What a browser kept of an earlier visit.
  filter();
  reveal();
}
