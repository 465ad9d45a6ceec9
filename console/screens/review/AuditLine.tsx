import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../parts/Badge.tsx'
import { ObjectLink } from '../../parts/ObjectLink.tsx'
import { Time } from '../../parts/Time.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'

type Stored = Answer<'/audit', 'get'>[number]
/** An entry with its changes as pairs, whichever way the types name them. */
type Entry = Omit<Stored, 'changes'> & { changes: Record<string, readonly unknown[]> }

const shown = (value: unknown): string =>
  value === undefined || value === null ? '—' : typeof value === 'string' ? value : JSON.stringify(value, null, 1)

/** What changed, member by member: before and after. */
function Changes({ changes, omitted }: Pick<Entry, 'changes' | 'omitted'>) {
  const t = useText(reviewTexts)
  const pointers = Object.entries(changes)
  if (pointers.length === 0 && omitted === 0) return null
  return (
    <details className={styles['changes']}>
      <summary>{t('changes', { count: pointers.length + omitted })}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('member')}</th>
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('after')}</th>
          </tr>
        </thead>
        <tbody>
          {pointers.map(([pointer, [before, after]]) => (
            <tr key={pointer}>
              <th scope="row">
                <code>{pointer || '/'}</code>
              </th>
              <td>{shown(before)}</td>
              <td>{shown(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {omitted > 0 && <small>{t('omitted', { count: omitted })}</small>}
    </details>
  )
}

/** One act: who, when, from where, on what, and what came of it. */
export function AuditLine({ entry }: { entry: Entry }) {
  const t = useText(reviewTexts)
  const { at, who, from, operation, object, outcome, problem } = entry
  return (
    <li className={styles['line']}>
      <div className={styles['what']}>
        <span className={styles['name']}>
          <code>{operation}</code>
          {outcome === 'refused' && (
            <Badge tone="bad" {...(problem !== null && { hint: problem })}>
              {t('refusedAct')}
            </Badge>
          )}
        </span>
        <small>
          {who.name ?? who.id ?? t(`who_${who.type}`)} · <Time at={at} />
          {from !== null && ` · ${from}`}
          {object && object.id !== null && (
            <>
              {` · ${object.type} `}
              <ObjectLink type={object.type} id={object.id} name={object.name ?? object.id} />
            </>
          )}
        </small>
        <Changes changes={entry.changes} omitted={entry.omitted} />
      </div>
    </li>
  )
}
