import { ActionIcon, Button, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useFields } from '../../api/definitions.ts'
import type { Fault } from '../../api/refusal.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Builder.module.css'
import { LeafLine } from './LeafLine.tsx'
import { firstLeaf, type Group, groupOf, isLeaf, MODES, type Mode, modeOf, type Node, nodesOf } from './model.ts'
import { criteriaTexts } from './texts.ts'

interface Props {
  group: Group
  onChange(group: Group): void
  /** Faults of the service, by pointers below `at`. */
  faults?: readonly Fault[]
  /** Where the group stands in the document. */
  at?: string
  onRemove?(): void
}

function ModeChoice({ mode, onChange }: { mode: Mode; onChange(mode: Mode): void }) {
  const t = useText(criteriaTexts)
  return (
    <Select
      size="xs"
      w={190}
      aria-label={t('together')}
      allowDeselect={false}
      data={MODES.map((one) => ({ value: one, label: t(one) }))}
      value={mode}
      onChange={(next) => onChange(next as Mode)}
    />
  )
}

/** The pointer is this one, or below it: `/all/1` is not above `/all/10`. */
const isWithin = (pointer: string, at: string): boolean => pointer === at || pointer.startsWith(`${at}/`)

/** Criteria as lines and groups within groups: all, any, none. */
export function Builder({ group, onChange, faults = [], at = '/criteria', onRemove }: Props) {
  const t = useText(criteriaTexts)
  const fields = useFields().data ?? []
  const [mode, nodes] = [modeOf(group), nodesOf(group)]
  const set = (next: readonly Node[]): void => onChange(groupOf(mode, next))
  const first = fields.find(({ isCriterion }) => isCriterion)
  const add = (node: Node): void => set([...nodes, node])
  return (
    <fieldset className={styles['group']} data-nested={onRemove !== undefined || undefined}>
      <legend className="unseen">{t('criteria')}</legend>
      <div className={styles['head']}>
        <ModeChoice mode={mode} onChange={(next) => onChange(groupOf(next, nodes))} />
        {onRemove && (
          <ActionIcon aria-label={t('removeGroup')} onClick={onRemove}>
            <IconX size={15} />
          </ActionIcon>
        )}
      </div>
      {nodes.length > 0 && (
        <ul className={styles['nodes']}>
          {nodes.map((node, index) => {
            const pointer = `${at}/${mode}/${index}`
            const own = faults.filter((fault) => isWithin(fault.pointer, pointer))
            const change = (next: Node): void => set(nodes.with(index, next))
            const remove = (): void => set(nodes.toSpliced(index, 1))
            return isLeaf(node) ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: criteria have no other name than their place.
              <LeafLine key={index} leaf={node} onChange={change} onRemove={remove} faults={own} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: criteria have no other name than their place.
              <li key={index}>
                <Builder group={node} onChange={change} faults={own} at={pointer} onRemove={remove} />
              </li>
            )
          })}
        </ul>
      )}
      <div className={styles['adding']}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => add(firstLeaf(first ? `field ${first.id}` : 'creationDate', fields))}
        >
          {t('add')}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={() => add(groupOf(mode === 'all' ? 'any' : 'all', []))}>
          {t('addGroup')}
        </Button>
      </div>
    </fieldset>
  )
}
