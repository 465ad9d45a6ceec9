import type { MailRecipientReport } from './reports.ts'

/** A report as `npm run bounces` prints it: members that the mail does not give are absent. */
export interface ClassifiedMailReport {
  kind: MailRecipientReport['kind']
  verdict?: 'hard' | 'soft'
  /** Enhanced code (RFC 3463). */
  status?: string
  /** SMTP reply code. */
  reply?: string
  diagnostic?: string
  recipient?: string
}

/** A report without what only the recording of events needs. */
export function toClassifiedReport(report: MailRecipientReport): ClassifiedMailReport {
  const { kind, recipient } = report
  const known = recipient === null ? {} : { recipient }
  if (report.kind === 'complaint') return { kind, ...known }
  const { diagnostic } = report
  const said = diagnostic === '' ? {} : { diagnostic }
  if (report.kind === 'none')
    return { kind, ...(report.status !== null && { status: report.status }), ...said, ...known }
  const { verdict, enhanced, reply } = report.analysis
  return { kind, verdict, status: enhanced, ...(reply !== null && { reply: String(reply) }), ...said, ...known }
}

/** The right classification of a mail, as labelled by hand. `any`: either verdict is right. */
export interface BounceLabel {
  kind: string
  verdict?: 'hard' | 'soft' | 'any'
}

/** The agreement of a classification with labels, recipient by recipient. */
export interface BounceLabelAgreement {
  /** Recipients that were labelled bounces with a verdict, and of them those whose kind and verdict agree. */
  verdicts: { of: number; right: number }
  /** All labelled recipients, and of them those whose kind agrees. */
  kinds: { of: number; right: number }
  misses: { file: string; label: BounceLabel; found: ClassifiedMailReport | undefined }[]
}

/** Compares file by file; a recipient that was not found is a miss. */
export function compareWithLabels(
  found: Readonly<Record<string, readonly ClassifiedMailReport[]>>,
  labels: Readonly<Record<string, readonly BounceLabel[]>>,
): BounceLabelAgreement {
  const pairs = Object.entries(labels).flatMap(([file, list]) =>
    list.map((label, n) => ({ file, label, found: found[file]?.[n] })),
  )
  const isOfKind = ({ label, found }: (typeof pairs)[number]): boolean => found?.kind === label.kind
  const isRight = (pair: (typeof pairs)[number]): boolean =>
    isOfKind(pair) && (pair.label.verdict === 'any' || pair.label.verdict === pair.found?.verdict)
  const bounces = pairs.filter(({ label }) => label.kind === 'bounce')
  return {
    verdicts: { of: bounces.length, right: bounces.filter(isRight).length },
    kinds: { of: pairs.length, right: pairs.filter(isOfKind).length },
    misses: pairs.filter((pair) => !(pair.label.kind === 'bounce' ? isRight(pair) : isOfKind(pair))),
  }
}
