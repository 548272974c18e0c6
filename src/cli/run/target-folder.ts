/** The folder of one of several targets, in the report folder. */
export const folderFor = (baseUrl: string): string =>
  baseUrl.replace(/^https?:\/\//, '').replace(/[^A-Za-z0-9.-]+/g, '_');
