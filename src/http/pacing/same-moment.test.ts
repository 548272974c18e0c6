import { describe, expect, test, vi } from 'vitest';
import { SameMoment } from './same-moment.ts';

describe('requests that are to begin at one moment', () => {
  test('wait for the last of them', async () => {
    const moment = new SameMoment(3, 1_000_000);
    const begun: number[] = [];
    const arrive = (name: number): Promise<void> => moment.arrive().then(() => void begun.push(name));
    const first = [arrive(1), arrive(2)];
    await Promise.resolve();
    expect(begun).toEqual([]);
    await Promise.all([...first, arrive(3)]);
    expect(begun).toEqual([1, 2, 3]);
  });

  test('do not wait forever where fewer may be under way', async () => {
    vi.useFakeTimers();
    try {
      const moment = new SameMoment(3, 100);
      const first = moment.arrive();
      vi.advanceTimersByTime(100);
      await first;
      await moment.arrive();
    } finally {
      vi.useRealTimers();
    }
  });
});
