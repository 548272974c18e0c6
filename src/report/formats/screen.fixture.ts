const PARTS = /\u001b\[(?<number>[?0-9;]*)(?<code>[A-Za-z])|(?<feed>\r?\n)|\r|(?<text>[^\u001b\r\n]+)/g;

/** What is left on the screen of a terminal that obeys what progress is drawn with; without colours. */
export function screenOf(written: string): readonly string[] {
  const lines: string[] = [];
  let row = 0;
  let column = 0;
  for (const { groups = {} } of written.matchAll(PARTS)) {
    const { number, code, feed, text } = groups;
    const line = lines[row] ?? '';
    if (text !== undefined) {
      lines[row] = line.slice(0, column).padEnd(column) + text + line.slice(column + text.length);
      column += text.length;
    } else if (feed !== undefined) {
      row += 1;
      column = 0;
    } else if (code === undefined || code === 'G') column = 0;
    else if (code === 'A') row = Math.max(0, row - Number(number || 1));
    else if (code === 'B') row += Number(number || 1);
    else if (code === 'K') lines[row] = number === '2' ? '' : line.slice(0, column);
  }
  // A row that was passed over is empty.
  const screen = Array.from(lines, (line) => line ?? '');
  while (screen.at(-1) === '') screen.pop();
  return screen;
}
