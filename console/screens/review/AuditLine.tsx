import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { AuditChangeList } from './AuditChangeList.tsx'
import { formatAuditObjectType, toPageObjectType } from './audit-words.ts'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'
import type { ApiAuditEntry } from './use-audit.ts'

interface FilterLinkProps {
  by: 'who' | 'operation' | 'object'
  value: string
  children: ReactNode
}

/** A word of an entry that narrows the audit to entries with the same. */
function FilterLink({ by, value, children }: FilterLinkProps) {
  const t = useTranslator(reviewTexts)
  return (
    <Link
      to="/settings/audit"
      search={((before: object) => ({ ...before, [by]: value })) as never}
      title={t(`only_${by}`)}
      className={styles['narrow']}
    >
      {children}
    </Link>
  )
}

function ActorCell({ entry: { who: actor, from, at } }: { entry: ApiAuditEntry }) {
  const t = useTranslator(reviewTexts)
  return (
    <div className={styles['actor']}>
      <FilterLink by="who" value={actor.id === undefined ? actor.type : `${actor.type}:${actor.id}`}>
        <bdi>{actor.name || actor.id || t(`who_${actor.type}`)}</bdi>
      </FilterLink>
      <small>
        {actor.type === 'key' && `${t('who_key')} · `}
        <FormattedTime at={at} />
        {from !== null && ` · ${from}`}
      </small>
    </div>
  )
}

function ObjectCell({ object }: { object: NonNullable<ApiAuditEntry['object']> }) {
  const t = useTranslator(reviewTexts)
  const { type, id, name } = object
  const typeLabel = formatAuditObjectType(t, type)
  if (id === null) return <span>{typeLabel}</span>
  return (
    <>
      <FilterLink by="object" value={`${type}:${id}`}>
        {typeLabel}
      </FilterLink>
      <ObjectLink type={toPageObjectType(type)} id={id} name={name ?? id} />
    </>
  )
}

/** One act: who, when, from where, on what, and what came of it. */
export function AuditLine({ entry }: { entry: ApiAuditEntry }) {
  const t = useTranslator(reviewTexts)
  const { operation, object, outcome, problem, changes, omitted } = entry
  return (
    <li className={styles['entry']}>
      <ActorCell entry={entry} />
      <div className={styles['act']}>
        <span className={styles['name']}>
          {object && <ObjectCell object={object} />}
          {outcome === 'refused' && (
            <StateBadge tone="bad">{problem === null ? t('refusedAct') : `${t('refusedAct')}: ${problem}`}</StateBadge>
          )}
        </span>
        <small>
          <FilterLink by="operation" value={operation}>
            <code>{operation}</code>
          </FilterLink>
        </small>
        <AuditChangeList changes={changes} omitted={omitted} />
      </div>
    </li>
  )
}
