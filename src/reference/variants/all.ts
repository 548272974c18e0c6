import type { Variant } from '../steps.ts';
import { choiceVariants } from './choices.ts';
import { collectionVariants } from './collections.ts';
import { transportVariants } from './transport.ts';

/** Every other correct choice that the reference service can make. */
export const VARIANTS: readonly Variant[] = [...choiceVariants, ...collectionVariants, ...transportVariants];

/** The variant of that name, or undefined. */
export const findVariant = (name: string): Variant | undefined => VARIANTS.find((variant) => variant.name === name);
