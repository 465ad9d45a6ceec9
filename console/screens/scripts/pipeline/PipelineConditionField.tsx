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

const COMPARISON_OPERATORS = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'greater',
  'greaterOrEqual',
  'less',
  'lessOrEqual',
  'between',
  'in',
  'notIn',
  'before',
  'after',
  'within',
  'empty',
  'notEmpty',
] as const
/** Those that nothing stands to the right of. */
const UNARY_OPERATORS: readonly string[] = ['empty', 'notEmpty']
const CASE_OPERATORS: readonly string[] = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'in',
  'notIn',
]

interface Comparison {
  operator?: string | null
  right?: ApiExpression | null
  [member: string]: unknown
}

/** A comparison with another operator: what stands on the right stays where it fits. */
function replaceOperator({ right, ...otherMembers }: Comparison, operator: string): Comparison {
  if (UNARY_OPERATORS.includes(operator)) return { ...otherMembers, operator }
  const literalKinds = listOperatorLiterals(operator)
  const retainsRight = right && (right.type !== 'literal' || findLiteralKind(right.value, literalKinds) !== undefined)
  const createRight = (): ApiExpression => literalExpression(createLiteral(literalKinds[0] ?? 'text', right?.value))
  return { ...otherMembers, operator, right: retainsRight ? right : createRight() }
}

function ComparisonLeaf({ at, names }: Props) {
  const t = useTranslator(scriptTexts)
  const criteriaT = useTranslator(criteriaTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const comparison = (readPointerValue(form.value, at) ?? {}) as Comparison
  const operator = comparison.operator ?? 'equals'
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
          data={COMPARISON_OPERATORS.map((operatorName) => ({ value: operatorName, label: criteriaT(operatorName) }))}
          value={operator}
          onChange={(next) => next !== null && next !== operator && form.set(at, replaceOperator(comparison, next))}
        />
        {CASE_OPERATORS.includes(operator) && (
          <Checkbox
            size="xs"
            label={t('exact')}
            disabled={isReadOnly}
            checked={comparison['exact'] === true}
            onChange={(event) => form.set(`${at}/exact`, event.currentTarget.checked)}
          />
        )}
      </div>
      {!UNARY_OPERATORS.includes(operator) && (
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

function ConditionLeaf({ at, names, leaf, remove }: Props & { leaf: CriteriaNode; remove: ReactNode }) {
  const t = useTranslator(scriptTexts)
  const { type } = leaf as { type: string }
  const fault = usePipelineFault(at)
  return (
    <li className={styles['leaf']}>
      <div className={styles['stack']}>
        {type === 'compare' && <ComparisonLeaf at={at} names={names} />}
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

function AddConditionMenu({ mode, add }: { mode: CriteriaGroupMode; add(node: CriteriaNode): void }) {
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
  const criteriaT = useTranslator(criteriaTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const [mode, nodes] = [findGroupMode(group), listGroupNodes(group)]
  const changeNodes = (next: readonly CriteriaNode[], as = mode): void => form.set(at, buildCriteriaGroup(as, next))
  const renderRemoveButton = (label: string, run: () => void) =>
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
          data={CRITERIA_GROUP_MODES.map((groupMode) => ({ value: groupMode, label: criteriaT(groupMode) }))}
          value={mode}
          onChange={(next) => changeNodes(nodes, next as CriteriaGroupMode)}
        />
        {onRemove && renderRemoveButton(t('removeGroup'), onRemove)}
      </div>
      <ul className={styles['leaves']}>
        {nodes.map((node, index) => {
          const nodePointer = isAlone ? at : `${at}/${mode}/${index}`
          const removeNode = (): void => changeNodes(nodes.toSpliced(index, 1))
          return isCriteriaLeaf(node) ? (
            <ConditionLeaf
              // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name other than their position.
              key={index}
              at={nodePointer}
              names={names}
              leaf={node}
              remove={renderRemoveButton(t('removeCondition'), removeNode)}
            />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place.
            <li key={index}>
              <GroupField at={nodePointer} names={names} group={node} isAlone={false} onRemove={removeNode} />
            </li>
          )
        })}
      </ul>
      {!isReadOnly && <AddConditionMenu mode={mode} add={(node) => changeNodes([...nodes, node])} />}
    </fieldset>
  )
}

/** Condition of rows to retain: comparisons, segment criteria and expressions, in groups. */
export function PipelineConditionField({ at, names }: Props) {
  const { form } = usePipelineEditor()
  const storedCondition = readPointerValue(form.value, at)
  const isAlone = storedCondition !== null && typeof storedCondition === 'object' && 'type' in storedCondition
  return <GroupField at={at} names={names} group={toCriteriaGroup(storedCondition)} isAlone={isAlone} />
}
