import { ActionIcon, Button, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { useContactFields } from '../../api/definitions.ts'
import type { RequestFault } from '../../api/refusal.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CriteriaBuilder.module.css'
import { CriterionLine, useCriteriaSubjects } from './CriterionLine.tsx'
import {
  buildCriteriaGroup,
  CRITERIA_GROUP_MODES,
  type CriteriaField,
  type CriteriaGroup,
  type CriteriaGroupMode,
  type CriteriaLeaf,
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

/** Adds a criterion: what it is about is chosen first, from a list that is open at once. */
function AddCriterion({ fields, onAdd }: { fields: readonly CriteriaField[]; onAdd(leaf: CriteriaLeaf): void }) {
  const t = useTranslator(criteriaTexts)
  const subjects = useCriteriaSubjects(fields)
  const [isChoosing, setChoosing] = useState(false)
  if (!isChoosing)
    return (
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setChoosing(true)}
      >
        {t('add')}
      </Button>
    )
  return (
    <Select
      size="xs"
      w={240}
      searchable
      autoFocus
      defaultDropdownOpened
      aria-label={t('subject')}
      placeholder={t('chooseSubject')}
      data={subjects}
      value={null}
      onBlur={() => setChoosing(false)}
      onChange={(subject) => {
        setChoosing(false)
        if (subject !== null) onAdd(createCriteriaLeaf(subject, fields))
      }}
    />
  )
}

/** Criteria as lines and groups within groups: all, any, none. */
export function CriteriaBuilder({ group, onChange, faults = [], at = '/criteria', onRemove }: Props) {
  const t = useTranslator(criteriaTexts)
  const contactFields = useContactFields().data ?? []
  const [mode, nodes] = [findGroupMode(group), listGroupNodes(group)]
  const changeNodes = (next: readonly CriteriaNode[]): void => onChange(buildCriteriaGroup(mode, next))
  const [openPlace, setOpenPlace] = useState<number | null>(null)
  const addNode = (node: CriteriaNode): void => changeNodes([...nodes, node])
  return (
    <fieldset className={styles['group']} data-nested={onRemove !== undefined || undefined}>
      <legend className="unseen">{t('criteria')}</legend>
      <div className={styles['head']}>
        {(nodes.length > 1 || mode !== 'all' || onRemove) && (
          <ModeChoice mode={mode} onChange={(next) => onChange(buildCriteriaGroup(next, nodes))} />
        )}
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
            const removeNode = (): void => {
              setOpenPlace(null)
              changeNodes(nodes.toSpliced(index, 1))
            }
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: criteria have no other name than their place.
              <Fragment key={index}>
                {index > 0 && <li className={styles['between']}>{t(mode === 'all' ? 'and' : 'or')}</li>}
                {isCriteriaLeaf(node) ? (
                  <CriterionLine
                    leaf={node}
                    onChange={changeNode}
                    onRemove={removeNode}
                    faults={nodeFaults}
                    isOpen={openPlace === index}
                    onOpen={(isOpen) => setOpenPlace(isOpen ? index : null)}
                  />
                ) : (
                  <li>
                    <CriteriaBuilder
                      group={node}
                      onChange={changeNode}
                      faults={nodeFaults}
                      at={pointer}
                      onRemove={removeNode}
                    />
                  </li>
                )}
              </Fragment>
            )
          })}
        </ul>
      )}
      <div className={styles['adding']}>
        <AddCriterion
          fields={contactFields}
          onAdd={(leaf) => {
            setOpenPlace(nodes.length)
            addNode(leaf)
          }}
        />
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
