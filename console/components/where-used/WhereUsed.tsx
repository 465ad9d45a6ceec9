import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useObjectPath } from '../../layout/bar/objects.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import type en from './en.ts'
import { whereUsedTexts } from './texts.ts'
import styles from './WhereUsed.module.css'

export interface ObjectUse {
  type: string
  id: string | number
  name: string
}

const TYPE_LABELS: Readonly<Record<string, keyof typeof en>> = {
  action: 'action',
  compilable: 'compilable',
  design: 'design',
  field: 'field',
  form: 'form',
  import: 'import',
  importFormat: 'importFormat',
  notification: 'notification',
  rcs: 'rcs',
  rule: 'rule',
  segment: 'segment',
  valueList: 'valueList',
  webtask: 'webtask',
  workflow: 'workflow',
}

interface Props {
  /** Query key: the path of the operation. */
  path: string
  load(signal: AbortSignal): Promise<readonly ObjectUse[]>
}

/** Objects that use something and so prevent its deletion: the answer of its `links`. */
export function WhereUsed({ path, load }: Props) {
  const t = useTranslator(whereUsedTexts)
  const usesQuery = useQuery({ queryKey: ['links', path], queryFn: ({ signal }) => load(signal) })
  if (usesQuery.error) return <ProblemAlert error={usesQuery.error} onRetry={() => void usesQuery.refetch()} />
  if (!usesQuery.data) return <LoadingSkeleton lines={[70, 60]} />
  if (usesQuery.data.length === 0) return <p className={styles['none']}>{t('unused')}</p>
  return <ObjectUseList uses={usesQuery.data} />
}

/** Objects by type and name, each a link where there is a page for it. */
export function ObjectUseList({ uses }: { uses: readonly ObjectUse[] }) {
  const t = useTranslator(whereUsedTexts)
  const pathTo = useObjectPath()
  return (
    <ul className={styles['uses']}>
      {uses.map(({ type, id, name }) => {
        const page = pathTo(type, id)
        const typeLabel = TYPE_LABELS[type]
        return (
          <li key={`${type} ${id}`}>
            <small>{typeLabel ? t(typeLabel) : type}</small>
            {page ? <Link to={page}>{name}</Link> : <span>{name}</span>}
          </li>
        )
      })}
    </ul>
  )
}
