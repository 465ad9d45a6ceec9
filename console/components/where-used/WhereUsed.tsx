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

const NAMES: Readonly<Record<string, keyof typeof en>> = {
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
  /** What it is kept by: the path of the operation. */
  path: string
  load(signal: AbortSignal): Promise<readonly ObjectUse[]>
}

/** What uses something, and so keeps it from being deleted: the answer of its `links`. */
export function WhereUsed({ path, load }: Props) {
  const t = useTranslator(whereUsedTexts)
  const uses = useQuery({ queryKey: ['links', path], queryFn: ({ signal }) => load(signal) })
  if (uses.error) return <ProblemAlert error={uses.error} onRetry={() => void uses.refetch()} />
  if (!uses.data) return <LoadingSkeleton lines={[70, 60]} />
  if (uses.data.length === 0) return <p className={styles['none']}>{t('unused')}</p>
  return <ObjectUseList uses={uses.data} />
}

/** Objects by type and name, each a link where there is a page for it. */
export function ObjectUseList({ uses }: { uses: readonly ObjectUse[] }) {
  const t = useTranslator(whereUsedTexts)
  const pathTo = useObjectPath()
  return (
    <ul className={styles['uses']}>
      {uses.map(({ type, id, name }) => {
        const page = pathTo(type, id)
        const word = NAMES[type]
        return (
          <li key={`${type} ${id}`}>
            <small>{word ? t(word) : type}</small>
            {page ? <Link to={page}>{name}</Link> : <span>{name}</span>}
          </li>
        )
      })}
    </ul>
  )
}
