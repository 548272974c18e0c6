/** Far from any id in use: no animal has it. */
export const NOBODYS_ID = 2n ** 62n + 12345n;
