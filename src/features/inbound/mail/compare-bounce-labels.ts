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
  const recipientMember = recipient === null ? {} : { recipient }
  if (report.kind === 'complaint') return { kind, ...recipientMember }
  const { diagnostic } = report
  const diagnosticMember = diagnostic === '' ? {} : { diagnostic }
  if (report.kind === 'none')
    return { kind, ...(report.status !== null && { status: report.status }), ...diagnosticMember, ...recipientMember }
  const { verdict, enhanced, reply } = report.analysis
  return {
    kind,
    verdict,
    status: enhanced,
    ...(reply !== null && { reply: String(reply) }),
    ...diagnosticMember,
    ...recipientMember,
  }
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
  classifiedReports: Readonly<Record<string, readonly ClassifiedMailReport[]>>,
  labels: Readonly<Record<string, readonly BounceLabel[]>>,
): BounceLabelAgreement {
  const labeledPairs = Object.entries(labels).flatMap(([file, list]) =>
    list.map((label, n) => ({ file, label, found: classifiedReports[file]?.[n] })),
  )
  const isOfKind = ({ label, found: actual }: (typeof labeledPairs)[number]): boolean => actual?.kind === label.kind
  const isRight = (pair: (typeof labeledPairs)[number]): boolean =>
    isOfKind(pair) && (pair.label.verdict === 'any' || pair.label.verdict === pair.found?.verdict)
  const bounces = labeledPairs.filter(({ label }) => label.kind === 'bounce')
  return {
    verdicts: { of: bounces.length, right: bounces.filter(isRight).length },
    kinds: { of: labeledPairs.length, right: labeledPairs.filter(isOfKind).length },
    misses: labeledPairs.filter((pair) => !(pair.label.kind === 'bounce' ? isRight(pair) : isOfKind(pair))),
  }
}
