import { ActionIcon, Button, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useContactFields } from '../../api/definitions.ts'
import type { RequestFault } from '../../api/refusal.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CriteriaBuilder.module.css'
import { CriterionLine } from './CriterionLine.tsx'
import {
  buildCriteriaGroup,
  CRITERIA_GROUP_MODES,
  type CriteriaGroup,
  type CriteriaGroupMode,
  type CriteriaNode,
  createCriteriaLeaf,
  findGroupMode,
  isCriteriaLeaf,
  listGroupNodes,
} from './model.ts'
import { criteriaTexts } from './texts.ts'

interface Props {
  group: CriteriaGroup
  onChange(group: CriteriaGroup): void
  /** Faults of the service, by pointers below `at`. */
  faults?: readonly RequestFault[]
  /** Pointer to the group in the document. */
  at?: string
  onRemove?(): void
}

function ModeChoice({ mode, onChange }: { mode: CriteriaGroupMode; onChange(mode: CriteriaGroupMode): void }) {
  const t = useTranslator(criteriaTexts)
  return (
    <Select
      size="xs"
      w={190}
      aria-label={t('together')}
      allowDeselect={false}
      data={CRITERIA_GROUP_MODES.map((modeName) => ({ value: modeName, label: t(modeName) }))}
      value={mode}
      onChange={(next) => onChange(next as CriteriaGroupMode)}
    />
  )
}

/** The pointer is this one, or below it: `/all/1` is not above `/all/10`. */
const isPointerWithin = (pointer: string, at: string): boolean => pointer === at || pointer.startsWith(`${at}/`)

/** Criteria as lines and groups within groups: all, any, none. */
export function CriteriaBuilder({ group, onChange, faults = [], at = '/criteria', onRemove }: Props) {
  const t = useTranslator(criteriaTexts)
  const contactFields = useContactFields().data ?? []
  const [mode, nodes] = [findGroupMode(group), listGroupNodes(group)]
  const changeNodes = (next: readonly CriteriaNode[]): void => onChange(buildCriteriaGroup(mode, next))
  const firstField = contactFields.find(({ isCriterion }) => isCriterion)
  const addNode = (node: CriteriaNode): void => changeNodes([...nodes, node])
  return (
    <fieldset className={styles['group']} data-nested={onRemove !== undefined || undefined}>
      <legend className="unseen">{t('criteria')}</legend>
      <div className={styles['head']}>
        <ModeChoice mode={mode} onChange={(next) => onChange(buildCriteriaGroup(next, nodes))} />
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
            const nodeFaults = faults.filter((fault) => isPointerWithin(fault.pointer, pointer))
            const changeNode = (next: CriteriaNode): void => changeNodes(nodes.with(index, next))
            const removeNode = (): void => changeNodes(nodes.toSpliced(index, 1))
            return isCriteriaLeaf(node) ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: criteria have no other name than their place.
              <CriterionLine key={index} leaf={node} onChange={changeNode} onRemove={removeNode} faults={nodeFaults} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: criteria have no other name than their place.
              <li key={index}>
                <CriteriaBuilder
                  group={node}
                  onChange={changeNode}
                  faults={nodeFaults}
                  at={pointer}
                  onRemove={removeNode}
                />
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
          onClick={() =>
            addNode(createCriteriaLeaf(firstField ? `field ${firstField.id}` : 'creationDate', contactFields))
          }
        >
          {t('add')}
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => addNode(buildCriteriaGroup(mode === 'all' ? 'any' : 'all', []))}
        >
          {t('addGroup')}
        </Button>
      </div>
    </fieldset>
  )
}
