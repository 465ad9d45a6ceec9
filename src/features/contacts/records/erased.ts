/** The contacts of an erasure. */
export interface ErasedContacts {
  contacts: readonly number[]
  /** The addresses and unicities each of them is known by, in any case. */
  names: readonly { contact: number; name: string }[]
}
