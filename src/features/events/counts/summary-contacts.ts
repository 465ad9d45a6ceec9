/** Contacts as bits: 65,536 a page, by the number of the page. */
export type ContactSet = Map<number, Uint32Array>

const CONTACT_BYTES = 6
const PAGE_WORDS = 65_536 / 32

/** Counts the contacts of a list: six bytes each, highest first. */
export function countPackedContacts(contacts: Buffer): number {
  return contacts.length / CONTACT_BYTES
}

/** Puts contacts into a set, and answers how many of them were new. Fastest when most come in ascending order. */
export function addToContactSet(contactSet: ContactSet, contacts: Buffer): number {
  let addedCount = 0
  visitEachBit(contactSet, contacts, (page, word, bit) => {
    const bits = page[word] ?? 0
    if ((bits & bit) === 0) {
      page[word] = bits | bit
      addedCount++
    }
  })
  return addedCount
}

/** Takes contacts out of a set. */
export function removeFromContactSet(contactSet: ContactSet, contacts: Buffer): void {
  visitEachBit(contactSet, contacts, (page, word, bit) => {
    page[word] = (page[word] ?? 0) & ~bit
  })
}

function visitEachBit(
  contactSet: ContactSet,
  contacts: Buffer,
  visit: (page: Uint32Array, word: number, bit: number) => void,
): void {
  let pageNumber = -1
  let page = new Uint32Array(0)
  for (let contactOffset = 0; contactOffset < contacts.length; contactOffset += CONTACT_BYTES) {
    const nextPageNumber = contacts.readUInt32BE(contactOffset)
    if (nextPageNumber !== pageNumber) {
      pageNumber = nextPageNumber
      page = findOrCreatePage(contactSet, pageNumber)
    }
    const bitIndex = contacts.readUInt16BE(contactOffset + 4)
    visit(page, bitIndex >>> 5, 1 << (bitIndex & 31))
  }
}

function findOrCreatePage(contactSet: ContactSet, number: number): Uint32Array<ArrayBuffer> {
  const existingPage = contactSet.get(number) as Uint32Array<ArrayBuffer> | undefined
  if (existingPage) return existingPage
  const page = new Uint32Array(PAGE_WORDS)
  contactSet.set(number, page)
  return page
}
