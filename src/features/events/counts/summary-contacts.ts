/** Contacts as bits: 65,536 a page, by the number of the page. */
export type ContactSet = Map<number, Uint32Array>

const BYTES_OF_A_CONTACT = 6
const PAGE_WORDS = 65_536 / 32

/** How many contacts a list holds: six bytes each, the highest first. */
export function countPackedContacts(contacts: Buffer): number {
  return contacts.length / BYTES_OF_A_CONTACT
}

/** Puts contacts into a set, and answers how many of them were new. Fastest when most come in ascending order. */
export function addToContactSet(set: ContactSet, contacts: Buffer): number {
  let added = 0
  eachBit(set, contacts, (page, word, bit) => {
    const bits = page[word] ?? 0
    if ((bits & bit) === 0) {
      page[word] = bits | bit
      added++
    }
  })
  return added
}

/** Takes contacts out of a set. */
export function removeFromContactSet(set: ContactSet, contacts: Buffer): void {
  eachBit(set, contacts, (page, word, bit) => {
    page[word] = (page[word] ?? 0) & ~bit
  })
}

function eachBit(
  set: ContactSet,
  contacts: Buffer,
  visit: (page: Uint32Array, word: number, bit: number) => void,
): void {
  let number = -1
  let page = new Uint32Array(0)
  for (let at = 0; at < contacts.length; at += BYTES_OF_A_CONTACT) {
    const next = contacts.readUInt32BE(at)
    if (next !== number) {
      number = next
      page = pageOf(set, number)
    }
    const low = contacts.readUInt16BE(at + 4)
    visit(page, low >>> 5, 1 << (low & 31))
  }
}

function pageOf(set: ContactSet, number: number): Uint32Array<ArrayBuffer> {
  const known = set.get(number) as Uint32Array<ArrayBuffer> | undefined
  if (known) return known
  const page = new Uint32Array(PAGE_WORDS)
  set.set(number, page)
  return page
}
