import { useTranslator } from '../../text/catalogue.ts'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'
import type { ApiAuditEntry } from './use-audit.ts'

/** From here on a value stands in a box of its own that scrolls. */
const LONG_VALUE_LENGTH = 400

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** A value as it stood before or after; nothing where there was none. */
function ChangedValue({ value, tone }: { value: unknown; tone: 'before' | 'after' }) {
  if (isAbsent(value)) return <span className={styles['absent']}>—</span>
  const valueText = formatValue(value)
  const isLong = valueText.length > LONG_VALUE_LENGTH
  return (
    <bdi className={styles['value']} data-tone={tone} data-long={isLong || undefined} {...(isLong && { tabIndex: 0 })}>
      {valueText}
    </bdi>
  )
}

/** Changes member by member: before and after. */
export function AuditChangeList({ changes, omitted }: Pick<ApiAuditEntry, 'changes' | 'omitted'>) {
  const t = useTranslator(reviewTexts)
  const changedMembers = Object.entries(changes)
  if (changedMembers.length === 0 && omitted === 0) return null
  return (
    <details className={styles['changes']}>
      <summary>{t('changes', { count: changedMembers.length + omitted })}</summary>
      <dl>
        {changedMembers.map(([pointer, [before, after]]) => (
          <div key={pointer}>
            <dt>
              <code>{pointer || '/'}</code>
            </dt>
            {!isAbsent(before) && (
              <dd>
                <small>{t('before')}</small>
                <ChangedValue value={before} tone="before" />
              </dd>
            )}
            <dd>
              <small>{t('after')}</small>
              <ChangedValue value={after} tone="after" />
            </dd>
          </div>
        ))}
      </dl>
      {omitted > 0 && <small>{t('omitted', { count: omitted })}</small>}
    </details>
  )
}
