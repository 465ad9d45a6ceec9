const MAX_NAME_LENGTH = 100

/** A name that no other has, regardless of case: with a number where it is taken, or where it has only digits. */
export function findFreeFieldName(wishedName: string, takenNames: readonly string[]): string {
  const taken = new Set(takenNames.map((name) => name.toLowerCase()))
  const baseName = wishedName.trim().slice(0, MAX_NAME_LENGTH - 4)
  const isFree = (name: string): boolean => !/^\d*$/.test(name) && !taken.has(name.toLowerCase())
  let name = baseName
  for (let number = 2; !isFree(name); number++) name = `${baseName} (${number})`
  return name
}
