import { test } from 'vitest';
import { documentOf } from '/work/main/src/next/report/document.ts';
import { red, green, CONTEXT } from '/work/main/src/next/report/sample.fixture.ts';
import { terminalText } from '/work/main/src/next/report/terminal.ts';
test('x', () => { process.stdout.write(terminalText(documentOf(red(), CONTEXT), { color: true, output: 'normal', columns: 60 })); process.stdout.write(terminalText(documentOf(green(), CONTEXT), { color: true, output: 'normal', columns: 60 })); });
