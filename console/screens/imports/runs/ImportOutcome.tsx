import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type { ApiImportRun, ListedApiImport } from '../calls.ts'
import styles from '../ImportsPage.module.css'
import { importTexts } from '../texts.ts'

const SECOND_MS = 1000

/** The criteria that select the contacts created during a run. */
function buildRunCriteria({ startDate, endDate }: ApiImportRun): { all: object[] } {
  // The end of a span is not part of it.
  const end = endDate === null ? undefined : new Date(Date.parse(endDate) + SECOND_MS).toISOString()
  return { all: [{ type: 'creationDate', operator: 'within', value: { start: startDate, ...(end && { end }) } }] }
}

function findSegmentId({ features }: ListedApiImport): number | undefined {
  const feature = features.find(({ type }) => type === 'segmentation')
  return feature && 'segmentId' in feature ? Number(feature.segmentId) : undefined
}

/** The result of a finished import in words, with what is usually done next. */
export function ImportOutcome({ of, run }: { of: ListedApiImport; run: ApiImportRun }) {
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const segmentId = findSegmentId(of)
  const counts = [
    ['outcomeCreated', run.created],
    ['outcomeUpdated', run.updated],
    ['outcomeSkipped', run.skipped],
    ['outcomeBlocked', run.blocked],
    ['outcomeRejected', run.rejected],
  ] as const
  const parts = counts.filter(([, count]) => count > 0).map(([key, count]) => t(key, { count }))
  const hasContacts = run.created + run.updated + run.skipped > 0
  const runCriteria = buildRunCriteria(run)
  const contactsSearch =
    segmentId === undefined ? (run.created > 0 ? { filter: runCriteria } : {}) : { segment: segmentId }
  const segmentLink =
    segmentId === undefined
      ? { to: '/segments/new', search: { type: 'dynamic', criteria: runCriteria, name: of.name } }
      : { to: `/segments/${segmentId}`, search: {} }
  return (
    <section className={styles['outcome']}>
      <p role="status">{parts.length === 0 ? t('outcomeNone') : `${format.list(parts)}.`}</p>
      {hasContacts && (
        <div className={styles['next']}>
          <Button renderRoot={(props) => <Link to="/contacts" search={contactsSearch as never} {...props} />}>
            {t('seeContacts')}
          </Button>
          {(segmentId !== undefined || run.created > 0) && (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to={segmentLink.to as string} search={segmentLink.search as never} {...props} />
              )}
            >
              {t(segmentId === undefined ? 'createSegment' : 'openSegment')}
            </Button>
          )}
          <Button variant="default" renderRoot={(props) => <Link to={'/messages/email' as string} {...props} />}>
            {t('writeToThem')}
          </Button>
        </div>
      )}
    </section>
  )
}
