/** The folders of several targets, in the report folder: one each, also where the addresses differ in a `/` only. */
export function targetFolders(baseUrls: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return baseUrls.map((baseUrl) => {
    const name = baseUrl.replace(/^https?:\/\//, '').replace(/[^A-Za-z0-9.-]+/g, '_');
    let folder = name;
    // Some file systems ignore letter case.
    for (let number = 2; taken.has(folder.toLowerCase()); number += 1) folder = `${name}-${number}`;
    taken.add(folder.toLowerCase());
    return folder;
  });
}
