import { type Fault, invalid } from '../../lib/problem.ts'
import type { ExecutionItem, RenderItem } from './item-schemas.ts'

const MOST_FAULTS = 100

/** Members of an item that an SMS has nothing to do with (actions.md 7.1). */
const ofMail = ['headers', 'subject', 'attachments', 'copies', 'important'] as const
const ofMailContent = ['html', 'amp'] as const

/** Throws 400 naming every member that only e-mails have; of a list pointers begin with the place. */
export function refuseMailMembers(items: readonly (ExecutionItem | RenderItem)[], isList: boolean): void {
  const faults = items.flatMap((item, index): Fault[] => {
    const at = isList ? `/${index}` : ''
    const members: Readonly<Record<string, unknown>> = item
    const names = [
      ...ofMail.filter((name) => members[name] != null),
      ...ofMailContent.filter((name) => item.content?.[name] != null).map((name) => `content/${name}`),
    ]
    return names.map((name) => ({ pointer: `${at}/${name}`, detail: 'has no meaning for an SMS' }))
  })
  if (faults.length > 0) throw invalid(faults.slice(0, MOST_FAULTS))
}
