import { ActionIcon, Button, Checkbox, Menu, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Builder } from '../../../components/criteria/Builder.tsx'
import {
  asGroup,
  type Group,
  groupOf,
  isLeaf,
  MODES,
  type Mode,
  modeOf,
  type Node,
  nodesOf,
} from '../../../components/criteria/model.ts'
import { criteriaTexts } from '../../../components/criteria/texts.ts'
import { valueAt } from '../../../components/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { useDesk, useFault } from './desk.ts'
import { ExpressionField } from './ExpressionField.tsx'
import { type Expression, firstCompare, literal } from './kinds.ts'
import { firstLiteral, kindOfLiteral, kindsOfOperator } from './literals.ts'
import styles from './Pipeline.module.css'

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
  right?: Expression | null
  [member: string]: unknown
}

/** A comparison with another operator: what stands on the right stays where it fits. */
function withOperator({ right, ...rest }: Compared, operator: string): Compared {
  if (ALONE.includes(operator)) return { ...rest, operator }
  const kinds = kindsOfOperator(operator)
  const isKept = right && (right.type !== 'literal' || kindOfLiteral(right.value, kinds) !== undefined)
  const fresh = (): Expression => literal(firstLiteral(kinds[0] ?? 'text', right?.value))
  return { ...rest, operator, right: isKept ? right : fresh() }
}

function CompareLeaf({ at, names }: Props) {
  const t = useText(scriptTexts)
  const words = useText(criteriaTexts)
  const { form, isReadOnly } = useDesk()
  const leaf = (valueAt(form.value, at) ?? {}) as Compared
  const operator = leaf.operator ?? 'equals'
  const fault = useFault(`${at}/operator`)
  return (
    <>
      <ExpressionField isLabelHidden at={`${at}/left`} label={t('left')} names={names} />
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
        <ExpressionField
          isLabelHidden
          at={`${at}/right`}
          label={t('right')}
          names={names}
          literals={kindsOfOperator(operator)}
        />
      )}
    </>
  )
}

function CriteriaLeaf({ at }: { at: string }) {
  const { form, flaws } = useDesk()
  const faults = flaws.map(({ path, message }) => ({ pointer: path, detail: message }))
  return (
    <Builder
      group={asGroup(valueAt(form.value, `${at}/value`))}
      at={`${at}/value`}
      faults={faults}
      onChange={(group) => form.set(`${at}/value`, group)}
    />
  )
}

function Leaf({ at, names, leaf, remove }: Props & { leaf: Node; remove: ReactNode }) {
  const t = useText(scriptTexts)
  const { type } = leaf as { type: string }
  const fault = useFault(at)
  return (
    <li className={styles['leaf']}>
      <div className={styles['stack']}>
        {type === 'compare' && <CompareLeaf at={at} names={names} />}
        {type === 'criteria' && <CriteriaLeaf at={at} />}
        {type !== 'compare' && type !== 'criteria' && <ExpressionField at={at} label={t('holdsWhen')} names={names} />}
        {fault && type === 'compare' && <small data-fault>{fault}</small>}
      </div>
      {remove}
    </li>
  )
}

function Adding({ mode, add }: { mode: Mode; add(node: Node): void }) {
  const t = useText(scriptTexts)
  return (
    <div className={styles['row']}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => add(firstCompare() as Node)}
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
          <Menu.Item onClick={() => add(groupOf(mode === 'all' ? 'any' : 'all', [firstCompare() as Node]))}>
            {t('addGroup')}
          </Menu.Item>
          <Menu.Item onClick={() => add({ type: 'criteria', value: groupOf('all', []) })}>{t('addCriteria')}</Menu.Item>
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
}: Props & { group: Group; isAlone: boolean; onRemove?: () => void }) {
  const t = useText(scriptTexts)
  const words = useText(criteriaTexts)
  const { form, isReadOnly } = useDesk()
  const [mode, nodes] = [modeOf(group), nodesOf(group)]
  const set = (next: readonly Node[], as = mode): void => form.set(at, groupOf(as, next))
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
          data={MODES.map((one) => ({ value: one, label: words(one) }))}
          value={mode}
          onChange={(next) => set(nodes, next as Mode)}
        />
        {onRemove && removal(t('removeGroup'), onRemove)}
      </div>
      <ul className={styles['leaves']}>
        {nodes.map((node, index) => {
          const place = isAlone ? at : `${at}/${mode}/${index}`
          const remove = (): void => set(nodes.toSpliced(index, 1))
          return isLeaf(node) ? (
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
export function ConditionField({ at, names }: Props) {
  const { form } = useDesk()
  const stored = valueAt(form.value, at)
  const isAlone = stored !== null && typeof stored === 'object' && 'type' in stored
  return <GroupField at={at} names={names} group={asGroup(stored)} isAlone={isAlone} />
}
