import { expect, test } from 'vitest';
import { targetFolders } from './target-folder.ts';

test('the folder of a target is named after its address', () => {
  expect(targetFolders(['https://a.example/v1', 'http://127.0.0.1:8080/v1'])).toEqual([
    'a.example_v1',
    '127.0.0.1_8080_v1',
  ]);
});

test('no two targets have the same folder', () => {
  const urls = [
    'http://a/v1',
    'https://a/v1',
    'http://a/x_y/v1',
    'http://a/x/y/v1',
    'http://a/X/y/v1',
    'http://a/v1-2',
  ];
  const folders = targetFolders(urls);
  expect(folders).toEqual(['a_v1', 'a_v1-2', 'a_x_y_v1', 'a_x_y_v1-2', 'a_X_y_v1-3', 'a_v1-2-2']);
  expect(new Set(folders.map((folder) => folder.toLowerCase())).size).toBe(urls.length);
});
