import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import { LineList } from '../../../components/form/LineList.tsx'
import { valueAt } from '../../../components/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import type { Pipeline, Step } from '../compilable-kind.ts'
import { scriptTexts } from '../texts.ts'
import { ConditionField } from './ConditionField.tsx'
import { CountField, Into, Lines, Word, Yes } from './choices.tsx'
import { useDesk, useFault, useTextFaults } from './desk.ts'
import { ExpressionField } from './ExpressionField.tsx'
import { AGGREGATES, pathTo, SOURCES, type SourceKind } from './kinds.ts'
import { NamedLines } from './NamedLines.tsx'
import styles from './Pipeline.module.css'
import { namesBefore, namesOfSource } from './row-names.ts'
import { SourceFields } from './SourceFields.tsx'

interface Props {
  at: string
  /** Paths that expressions of this step may read. */
  names: readonly string[]
}

interface KeysProps {
  at: string
  label: string
  /** What a new key begins with. */
  fresh: unknown
  /** The fields of a key, by its pointer and its number. */
  children(key: string, place: number): ReactNode
}

function MapStep({ at, names }: Props) {
  const t = useText(scriptTexts)
  return (
    <>
      <NamedLines at={`${at}/fields`} label={t('members')} addLabel={t('addMember')} fresh={pathTo('row.id')}>
        {(place, name) => <ExpressionField isLabelHidden at={place} label={t('valueOf', { name })} names={names} />}
      </NamedLines>
      <Yes at={`${at}/keep`} label={t('keepMembers')} />
    </>
  )
}

/** What rows are sorted by or told apart by, one key a line. */
function Keys({ at, label, fresh, children }: KeysProps) {
  const t = useText(scriptTexts)
  const { form, isReadOnly } = useDesk()
  const keys = (valueAt(form.value, at) ?? []) as readonly unknown[]
  return (
    <Lines label={label}>
      <LineList
        values={keys}
        onChange={(next) => form.set(at, next)}
        addLabel={t('addKey')}
        fresh={() => fresh}
        removeLabel={(key) => t('removeKey', { place: keys.indexOf(key) + 1 })}
        isReadOnly={isReadOnly}
        className={styles['entry']}
      >
        {(_, place) => children(`${at}/${place}`, place + 1)}
      </LineList>
    </Lines>
  )
}

function SortStep({ at, names }: Props) {
  const t = useText(scriptTexts)
  return (
    <Keys at={`${at}/by`} label={t('sortBy')} fresh={{ value: pathTo('row.id'), direction: 'asc', nulls: 'last' }}>
      {(key, place) => (
        <>
          <ExpressionField isLabelHidden at={`${key}/value`} label={t('keyNumber', { place })} names={names} />
          <Word
            at={`${key}/direction`}
            label={t('direction', { place })}
            absent="asc"
            words={[
              ['asc', t('asc')],
              ['desc', t('desc')],
            ]}
          />
          <Word
            at={`${key}/nulls`}
            label={t('nulls', { place })}
            absent="last"
            words={[
              ['last', t('nullsLast')],
              ['first', t('nullsFirst')],
            ]}
          />
        </>
      )}
    </Keys>
  )
}

function DistinctStep({ at, names }: Props) {
  const t = useText(scriptTexts)
  return (
    <Keys at={`${at}/by`} label={t('distinctBy')} fresh={pathTo('row.id')}>
      {(key, place) => <ExpressionField isLabelHidden at={key} label={t('keyNumber', { place })} names={names} />}
    </Keys>
  )
}

function Aggregate({ at, name, names }: Props & { name: string }) {
  const t = useText(scriptTexts)
  const { form } = useDesk()
  const { function: by } = (valueAt(form.value, at) ?? {}) as { function?: string }
  return (
    <>
      <Word
        at={`${at}/function`}
        label={t('functionOf', { name })}
        absent="count"
        words={AGGREGATES.map((one) => [one, t(`by_function_${one}`)])}
      />
      {by !== 'count' && (
        <ExpressionField isLabelHidden at={`${at}/value`} label={t('valueOf', { name })} names={names} />
      )}
    </>
  )
}

function GroupStep({ at, names }: Props) {
  const t = useText(scriptTexts)
  return (
    <>
      <NamedLines at={`${at}/by`} label={t('groupBy')} addLabel={t('addKey')} fresh={pathTo('row.id')}>
        {(place, name) => <ExpressionField isLabelHidden at={place} label={t('valueOf', { name })} names={names} />}
      </NamedLines>
      <NamedLines
        at={`${at}/aggregates`}
        label={t('aggregates')}
        addLabel={t('addAggregate')}
        fresh={{ function: 'count' }}
      >
        {(place, name) => <Aggregate at={place} name={name} names={names} />}
      </NamedLines>
    </>
  )
}

/** The kind of a source with its members. */
export function SourceField({ at, label }: { at: string; label: string }) {
  const t = useText(scriptTexts)
  const { form, isReadOnly } = useDesk()
  const source = (valueAt(form.value, at) ?? { type: 'targets' }) as Step
  return (
    <>
      <Select
        size="xs"
        w={260}
        label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={useFault(at, `${at}/type`)}
        data={(Object.keys(SOURCES) as SourceKind[]).map((one) => ({ value: one, label: t(`source_${one}`) }))}
        value={source.type}
        onChange={(next) => next !== null && next !== source.type && form.set(at, SOURCES[next as SourceKind])}
      />
      <SourceFields at={at} />
    </>
  )
}

function JoinStep({ at, names }: Props) {
  const t = useText(scriptTexts)
  const { form, known, argumentPaths } = useDesk()
  const source = valueAt(form.value, `${at}/source`) as Step
  const others = [...namesOfSource(source, known).map((name) => `other${name}`), ...argumentPaths, 'now']
  return (
    <>
      <SourceField at={`${at}/source`} label={t('joined')} />
      <Lines label={t('joinOn')}>
        <ExpressionField at={`${at}/on/left`} label={t('ofRow')} names={names} />
        <ExpressionField at={`${at}/on/right`} label={t('ofOther')} names={others} />
      </Lines>
      <div className={styles['row']}>
        <Into at={`${at}/into`} />
        <Word
          at={`${at}/kind`}
          label={t('joinKind')}
          absent="left"
          words={[
            ['left', t('joinLeft')],
            ['inner', t('joinInner')],
          ]}
        />
        <Yes at={`${at}/many`} label={t('joinMany')} />
      </div>
    </>
  )
}

const ROW_WORDS = ['rows', 'context', 'context.arguments', 'context.now', 'context.first', 'context.last']

function ScriptStep({ at }: Props) {
  const t = useText(scriptTexts)
  const { form, isReadOnly } = useDesk()
  return (
    <CodeEditor
      language="javascript"
      label={t('script')}
      help={t('scriptStepHelp')}
      minHeight={100}
      completions={{ words: ROW_WORDS.map((label) => ({ label, type: 'variable' })) }}
      faults={useTextFaults(`${at}/value`)}
      error={useFault(`${at}/value`)}
      readOnly={isReadOnly}
      value={String(valueAt(form.value, `${at}/value`) ?? '')}
      onChange={(value) => form.set(`${at}/value`, value)}
    />
  )
}

/** The members of a step, each in the way that fits it. */
export function StepFields({ place, pipeline }: { place: number; pipeline: Pipeline }) {
  const t = useText(scriptTexts)
  const { known, argumentPaths } = useDesk()
  const at = `/value/cursors/${place}`
  const names = [...namesBefore(pipeline, place, known).map((name) => `row${name}`), ...argumentPaths, 'now']
  const props = { at, names }
  switch (pipeline.cursors[place]?.type) {
    case 'filter':
      return <ConditionField at={`${at}/condition`} names={names} />
    case 'map':
      return <MapStep {...props} />
    case 'sort':
      return <SortStep {...props} />
    case 'distinct':
      return <DistinctStep {...props} />
    case 'limit':
      return (
        <div className={styles['pair']}>
          <CountField at={`${at}/count`} label={t('count')} absent={10} />
          <CountField at={`${at}/offset`} label={t('offset')} absent={0} />
        </div>
      )
    case 'group':
      return <GroupStep {...props} />
    case 'join':
      return <JoinStep {...props} />
    case 'expand':
      return (
        <>
          <ExpressionField at={`${at}/value`} label={t('expanded')} names={names} literals={['json']} />
          <Into at={`${at}/into`} />
        </>
      )
    default:
      return <ScriptStep {...props} />
  }
}
