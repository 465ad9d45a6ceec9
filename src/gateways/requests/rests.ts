/** Rests after refused credentials that all senders of a provider keep together. */
export interface SharedSuspensions {
  /** Number of consecutive suspensions; the last of them is over. */
  rests: number
  /** Notes that the next one begins, which is the longer the more there were. */
  begin(): Promise<void>
  /** Notes that the credentials are taken again. */
  end(): Promise<void>
}
