/** The time that the processes of one machine share: milliseconds since 1970, with fractions. */
export const now = (): number => performance.timeOrigin + performance.now();
