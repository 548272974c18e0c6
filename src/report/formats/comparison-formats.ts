/** How a comparison can be printed. */
export const COMPARISON_FORMATS = ['text', 'md', 'json'] as const;

export type ComparisonFormat = (typeof COMPARISON_FORMATS)[number];
