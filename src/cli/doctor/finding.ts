/** What was checked, whether it is in order, what was seen, and what to do when it is not. */
export interface DoctorFinding {
  subject: string
  ok: boolean
  seen: string
  advice?: string
}
