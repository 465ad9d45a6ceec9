import { ActionIcon, Button, Checkbox, Menu, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CriteriaBuilder } from '../../../components/criteria/CriteriaBuilder.tsx'
import {
  buildCriteriaGroup,
  CRITERIA_GROUP_MODES,
  type CriteriaGroup,
  type CriteriaGroupMode,
  type CriteriaNode,
  findGroupMode,
  isCriteriaLeaf,
  listGroupNodes,
  toCriteriaGroup,
} from '../../../components/criteria/model.ts'
import { criteriaTexts } from '../../../components/criteria/texts.ts'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { usePipelineEditor, usePipelineFault } from './desk.ts'
import { type ApiExpression, createComparison, literalExpression } from './kinds.ts'
import { createLiteral, findLiteralKind, listOperatorLiterals } from './literals.ts'
import styles from './Pipeline.module.css'
import { PipelineExpressionField } from './PipelineExpressionField.tsx'

interface Props {
  at: string
  names: readonly string[]
}

const OPERATORS = [
  ...([
    'equals',
    'notEquals',
    'contains',
    'notContains',
    'startsWith',
    'endsWith',
    'greater',
    'greaterOrEqual',
  ] as const),
  ...(['less', 'lessOrEqual', 'between', 'in', 'notIn', 'before', 'after', 'within', 'empty', 'notEmpty'] as const),
] as const
/** Those that nothing stands to the right of. */
const ALONE: readonly string[] = ['empty', 'notEmpty']
const CASED: readonly string[] = [
  ...['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith', 'in', 'notIn'],
]

interface Compared {
  operator?: string | null
  right?: ApiExpression | null
  [member: string]: unknown
}

/** A comparison with another operator: what stands on the right stays where it fits. */
function withOperator({ right, ...rest }: Compared, operator: string): Compared {
  if (ALONE.includes(operator)) return { ...rest, operator }
  const kinds = listOperatorLiterals(operator)
  const isKept = right && (right.type !== 'literal' || findLiteralKind(right.value, kinds) !== undefined)
  const fresh = (): ApiExpression => literalExpression(createLiteral(kinds[0] ?? 'text', right?.value))
  return { ...rest, operator, right: isKept ? right : fresh() }
}

function CompareLeaf({ at, names }: Props) {
  const t = useTranslator(scriptTexts)
  const words = useTranslator(criteriaTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const leaf = (readPointerValue(form.value, at) ?? {}) as Compared
  const operator = leaf.operator ?? 'equals'
  const fault = usePipelineFault(`${at}/operator`)
  return (
    <>
      <PipelineExpressionField isLabelHidden at={`${at}/left`} label={t('left')} names={names} />
      <div className={styles['compare']}>
        <Select
          size="xs"
          aria-label={t('operator')}
          allowDeselect={false}
          readOnly={isReadOnly}
          error={fault}
          data={OPERATORS.map((one) => ({ value: one, label: words(one) }))}
          value={operator}
          onChange={(next) => next !== null && next !== operator && form.set(at, withOperator(leaf, next))}
        />
        {CASED.includes(operator) && (
          <Checkbox
            size="xs"
            label={t('exact')}
            disabled={isReadOnly}
            checked={leaf['exact'] === true}
            onChange={(event) => form.set(`${at}/exact`, event.currentTarget.checked)}
          />
        )}
      </div>
      {!ALONE.includes(operator) && (
        <PipelineExpressionField
          isLabelHidden
          at={`${at}/right`}
          label={t('right')}
          names={names}
          literals={listOperatorLiterals(operator)}
        />
      )}
    </>
  )
}

function CriteriaLeaf({ at }: { at: string }) {
  const { form, flaws } = usePipelineEditor()
  const faults = flaws.map(({ path, message }) => ({ pointer: path, detail: message }))
  return (
    <CriteriaBuilder
      group={toCriteriaGroup(readPointerValue(form.value, `${at}/value`))}
      at={`${at}/value`}
      faults={faults}
      onChange={(group) => form.set(`${at}/value`, group)}
    />
  )
}

function Leaf({ at, names, leaf, remove }: Props & { leaf: CriteriaNode; remove: ReactNode }) {
  const t = useTranslator(scriptTexts)
  const { type } = leaf as { type: string }
  const fault = usePipelineFault(at)
  return (
    <li className={styles['leaf']}>
      <div className={styles['stack']}>
        {type === 'compare' && <CompareLeaf at={at} names={names} />}
        {type === 'criteria' && <CriteriaLeaf at={at} />}
        {type !== 'compare' && type !== 'criteria' && (
          <PipelineExpressionField at={at} label={t('holdsWhen')} names={names} />
        )}
        {fault && type === 'compare' && <small data-fault>{fault}</small>}
      </div>
      {remove}
    </li>
  )
}

function Adding({ mode, add }: { mode: CriteriaGroupMode; add(node: CriteriaNode): void }) {
  const t = useTranslator(scriptTexts)
  return (
    <div className={styles['row']}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => add(createComparison() as CriteriaNode)}
      >
        {t('addCompare')}
      </Button>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="compact-sm" variant="subtle">
            {t('addOther')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() =>
              add(buildCriteriaGroup(mode === 'all' ? 'any' : 'all', [createComparison() as CriteriaNode]))
            }
          >
            {t('addGroup')}
          </Menu.Item>
          <Menu.Item onClick={() => add({ type: 'criteria', value: buildCriteriaGroup('all', []) })}>
            {t('addCriteria')}
          </Menu.Item>
          <Menu.Item onClick={() => add({ type: 'script', value: 'row.id !== null' })}>{t('addExpression')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** A group of conditions, and the groups within it. `at` may also be that of a leaf, which is a group of one. */
function GroupField({
  at,
  names,
  group,
  isAlone,
  onRemove,
}: Props & { group: CriteriaGroup; isAlone: boolean; onRemove?: () => void }) {
  const t = useTranslator(scriptTexts)
  const words = useTranslator(criteriaTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const [mode, nodes] = [findGroupMode(group), listGroupNodes(group)]
  const set = (next: readonly CriteriaNode[], as = mode): void => form.set(at, buildCriteriaGroup(as, next))
  const removal = (label: string, run: () => void) =>
    !isReadOnly && (
      <ActionIcon aria-label={label} onClick={run}>
        <IconX size={15} />
      </ActionIcon>
    )
  return (
    <fieldset className={styles['group']} data-nested={onRemove !== undefined || undefined}>
      <legend className="unseen">{t('condition')}</legend>
      <div className={styles['head']}>
        <Select
          size="xs"
          aria-label={t('together')}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={CRITERIA_GROUP_MODES.map((one) => ({ value: one, label: words(one) }))}
          value={mode}
          onChange={(next) => set(nodes, next as CriteriaGroupMode)}
        />
        {onRemove && removal(t('removeGroup'), onRemove)}
      </div>
      <ul className={styles['leaves']}>
        {nodes.map((node, index) => {
          const place = isAlone ? at : `${at}/${mode}/${index}`
          const remove = (): void => set(nodes.toSpliced(index, 1))
          return isCriteriaLeaf(node) ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place.
            <Leaf key={index} at={place} names={names} leaf={node} remove={removal(t('removeCondition'), remove)} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place.
            <li key={index}>
              <GroupField at={place} names={names} group={node} isAlone={false} onRemove={remove} />
            </li>
          )
        })}
      </ul>
      {!isReadOnly && <Adding mode={mode} add={(node) => set([...nodes, node])} />}
    </fieldset>
  )
}

/** What rows are kept: comparisons, criteria of segments and expressions, in groups. */
export function PipelineConditionField({ at, names }: Props) {
  const { form } = usePipelineEditor()
  const stored = readPointerValue(form.value, at)
  const isAlone = stored !== null && typeof stored === 'object' && 'type' in stored
  return <GroupField at={at} names={names} group={toCriteriaGroup(stored)} isAlone={isAlone} />
}
