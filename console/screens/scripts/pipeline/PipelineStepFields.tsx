import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import { LineList } from '../../../components/form/LineList.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { CompilablePipeline, PipelineStepForm } from '../compilable-kind.ts'
import { scriptTexts } from '../texts.ts'
import {
  OutputMemberField,
  PipelineChoiceField,
  PipelineFieldGroup,
  PipelineSwitchField,
  RowCountField,
} from './choices.tsx'
import { usePipelineEditor, usePipelineFault, usePipelineTextFaults } from './desk.ts'
import { BLANK_PIPELINE_SOURCES, PIPELINE_AGGREGATES, type PipelineSourceKind, pathExpression } from './kinds.ts'
import { NamedMemberLines } from './NamedMemberLines.tsx'
import styles from './Pipeline.module.css'
import { PipelineConditionField } from './PipelineConditionField.tsx'
import { PipelineExpressionField } from './PipelineExpressionField.tsx'
import { PipelineSourceFields } from './PipelineSourceFields.tsx'
import { listSourceRowNames, listStepRowNames } from './row-names.ts'

interface Props {
  at: string
  /** Paths that expressions of this step may read. */
  names: readonly string[]
}

interface KeysProps {
  at: string
  label: string
  /** Initial value of a new key. */
  fresh: unknown
  /** The fields of a key, by its pointer and its number. */
  children(key: string, place: number): ReactNode
}

function MapStep({ at, names }: Props) {
  const t = useTranslator(scriptTexts)
  return (
    <>
      <NamedMemberLines
        at={`${at}/fields`}
        label={t('members')}
        addLabel={t('addMember')}
        fresh={pathExpression('row.id')}
      >
        {(place, name) => (
          <PipelineExpressionField isLabelHidden at={place} label={t('valueOf', { name })} names={names} />
        )}
      </NamedMemberLines>
      <PipelineSwitchField at={`${at}/keep`} label={t('keepMembers')} />
    </>
  )
}

/** Keys by which rows are sorted or distinguished, one per line. */
function KeyLines({ at, label, fresh, children }: KeysProps) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const storedKeys = (readPointerValue(form.value, at) ?? []) as readonly unknown[]
  return (
    <PipelineFieldGroup label={label}>
      <LineList
        values={storedKeys}
        onChange={(next) => form.set(at, next)}
        addLabel={t('addKey')}
        fresh={() => fresh}
        removeLabel={(key) => t('removeKey', { place: storedKeys.indexOf(key) + 1 })}
        isReadOnly={isReadOnly}
        className={styles['entry']}
      >
        {(_, place) => children(`${at}/${place}`, place + 1)}
      </LineList>
    </PipelineFieldGroup>
  )
}

function SortStep({ at, names }: Props) {
  const t = useTranslator(scriptTexts)
  return (
    <KeyLines
      at={`${at}/by`}
      label={t('sortBy')}
      fresh={{ value: pathExpression('row.id'), direction: 'asc', nulls: 'last' }}
    >
      {(key, place) => (
        <>
          <PipelineExpressionField isLabelHidden at={`${key}/value`} label={t('keyNumber', { place })} names={names} />
          <PipelineChoiceField
            at={`${key}/direction`}
            label={t('direction', { place })}
            absent="asc"
            words={[
              ['asc', t('asc')],
              ['desc', t('desc')],
            ]}
          />
          <PipelineChoiceField
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
    </KeyLines>
  )
}

function DistinctStep({ at, names }: Props) {
  const t = useTranslator(scriptTexts)
  return (
    <KeyLines at={`${at}/by`} label={t('distinctBy')} fresh={pathExpression('row.id')}>
      {(key, place) => (
        <PipelineExpressionField isLabelHidden at={key} label={t('keyNumber', { place })} names={names} />
      )}
    </KeyLines>
  )
}

function AggregateFields({ at, name, names }: Props & { name: string }) {
  const t = useTranslator(scriptTexts)
  const { form } = usePipelineEditor()
  const { function: by } = (readPointerValue(form.value, at) ?? {}) as { function?: string }
  return (
    <>
      <PipelineChoiceField
        at={`${at}/function`}
        label={t('functionOf', { name })}
        absent="count"
        words={PIPELINE_AGGREGATES.map((functionName) => [functionName, t(`by_function_${functionName}`)])}
      />
      {by !== 'count' && (
        <PipelineExpressionField isLabelHidden at={`${at}/value`} label={t('valueOf', { name })} names={names} />
      )}
    </>
  )
}

function GroupStep({ at, names }: Props) {
  const t = useTranslator(scriptTexts)
  return (
    <>
      <NamedMemberLines at={`${at}/by`} label={t('groupBy')} addLabel={t('addKey')} fresh={pathExpression('row.id')}>
        {(place, name) => (
          <PipelineExpressionField isLabelHidden at={place} label={t('valueOf', { name })} names={names} />
        )}
      </NamedMemberLines>
      <NamedMemberLines
        at={`${at}/aggregates`}
        label={t('aggregates')}
        addLabel={t('addAggregate')}
        fresh={{ function: 'count' }}
      >
        {(place, name) => <AggregateFields at={place} name={name} names={names} />}
      </NamedMemberLines>
    </>
  )
}

/** The kind of a source with its members. */
export function PipelineSourceField({ at, label }: { at: string; label: string }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const source = (readPointerValue(form.value, at) ?? { type: 'targets' }) as PipelineStepForm
  return (
    <>
      <Select
        size="xs"
        w={260}
        label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={usePipelineFault(at, `${at}/type`)}
        data={(Object.keys(BLANK_PIPELINE_SOURCES) as PipelineSourceKind[]).map((sourceType) => ({
          value: sourceType,
          label: t(`source_${sourceType}`),
        }))}
        value={source.type}
        onChange={(next) =>
          next !== null && next !== source.type && form.set(at, BLANK_PIPELINE_SOURCES[next as PipelineSourceKind])
        }
      />
      <PipelineSourceFields at={at} />
    </>
  )
}

function JoinStep({ at, names }: Props) {
  const t = useTranslator(scriptTexts)
  const { form, known: rowNameContext, argumentPaths } = usePipelineEditor()
  const source = readPointerValue(form.value, `${at}/source`) as PipelineStepForm
  const joinedNames = [
    ...listSourceRowNames(source, rowNameContext).map((name) => `other${name}`),
    ...argumentPaths,
    'now',
  ]
  return (
    <>
      <PipelineSourceField at={`${at}/source`} label={t('joined')} />
      <PipelineFieldGroup label={t('joinOn')}>
        <PipelineExpressionField at={`${at}/on/left`} label={t('ofRow')} names={names} />
        <PipelineExpressionField at={`${at}/on/right`} label={t('ofOther')} names={joinedNames} />
      </PipelineFieldGroup>
      <div className={styles['row']}>
        <OutputMemberField at={`${at}/into`} />
        <PipelineChoiceField
          at={`${at}/kind`}
          label={t('joinKind')}
          absent="left"
          words={[
            ['left', t('joinLeft')],
            ['inner', t('joinInner')],
          ]}
        />
        <PipelineSwitchField at={`${at}/many`} label={t('joinMany')} />
      </div>
    </>
  )
}

const ROW_COMPLETIONS = ['rows', 'context', 'context.arguments', 'context.now', 'context.first', 'context.last']

function ScriptStep({ at }: Props) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  return (
    <CodeEditor
      language="javascript"
      label={t('script')}
      help={t('scriptStepHelp')}
      minHeight={100}
      completions={{ words: ROW_COMPLETIONS.map((label) => ({ label, type: 'variable' })) }}
      faults={usePipelineTextFaults(`${at}/value`)}
      error={usePipelineFault(`${at}/value`)}
      readOnly={isReadOnly}
      value={String(readPointerValue(form.value, `${at}/value`) ?? '')}
      onChange={(value) => form.set(`${at}/value`, value)}
    />
  )
}

/** The members of a step, each in the way that fits it. */
export function PipelineStepFields({ place, pipeline }: { place: number; pipeline: CompilablePipeline }) {
  const t = useTranslator(scriptTexts)
  const { known: rowNameContext, argumentPaths } = usePipelineEditor()
  const stepPointer = `/value/cursors/${place}`
  const readableNames = [
    ...listStepRowNames(pipeline, place, rowNameContext).map((name) => `row${name}`),
    ...argumentPaths,
    'now',
  ]
  const stepProps = { at: stepPointer, names: readableNames }
  switch (pipeline.cursors[place]?.type) {
    case 'filter':
      return <PipelineConditionField at={`${stepPointer}/condition`} names={readableNames} />
    case 'map':
      return <MapStep {...stepProps} />
    case 'sort':
      return <SortStep {...stepProps} />
    case 'distinct':
      return <DistinctStep {...stepProps} />
    case 'limit':
      return (
        <div className={styles['pair']}>
          <RowCountField at={`${stepPointer}/count`} label={t('count')} absent={10} />
          <RowCountField at={`${stepPointer}/offset`} label={t('offset')} absent={0} />
        </div>
      )
    case 'group':
      return <GroupStep {...stepProps} />
    case 'join':
      return <JoinStep {...stepProps} />
    case 'expand':
      return (
        <>
          <PipelineExpressionField
            at={`${stepPointer}/value`}
            label={t('expanded')}
            names={readableNames}
            literals={['json']}
          />
          <OutputMemberField at={`${stepPointer}/into`} />
        </>
      )
    default:
      return <ScriptStep {...stepProps} />
  }
}
