/** The result of a check: its subject, whether it passed, what was found, and what to do if it failed. */
export interface DoctorFinding {
  subject: string
  ok: boolean
  seen: string
  advice?: string
}
