/** Whether the specification says it literally, implies it in one step, or leaves it open; in the order of reports. */
export const KINDS = ['stated', 'derived', 'open'] as const;
export type RequirementKind = (typeof KINDS)[number];

/** A row of the catalogue, spec/requirements.yaml. */
export interface CatalogueRow {
  readonly id: string;
  readonly source: readonly string[];
  readonly kind: RequirementKind;
  readonly says: string;
  readonly because?: string | undefined;
  readonly readings?: readonly string[] | undefined;
  /** What a failure is often caused by, if that is known. */
  readonly cause?: string | undefined;
  readonly untestable?: string | undefined;
}
