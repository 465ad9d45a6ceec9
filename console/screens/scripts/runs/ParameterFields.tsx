import { Checkbox, Select, TextInput } from '@mantine/core'
import { LineList } from '../../../components/form/LineList.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { CompilableForm, CompilableFormParameter } from '../compilable-kind.ts'
import type { ApiScriptFlaw } from '../flaws.ts'
import { ParameterValueField } from '../ParameterValueField.tsx'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'

const PARAMETER_TYPES = ['string', 'number', 'boolean', 'date', 'list', 'object'] as const

interface ParameterLineProps {
  parameter: CompilableFormParameter
  isReadOnly: boolean
  /** Returns the fault of a member. */
  faultOf(member: string): string | undefined
  onChange(parameter: CompilableFormParameter): void
}

function ParameterLine({ parameter, isReadOnly, faultOf, onChange }: ParameterLineProps) {
  const t = useTranslator(scriptTexts)
  const { name, type, required } = parameter
  const parameterName = name ?? ''
  return (
    <>
      <TextInput
        size="xs"
        aria-label={t('parameterName')}
        placeholder={t('parameterName')}
        error={faultOf('/name') ?? faultOf('')}
        readOnly={isReadOnly}
        value={parameterName}
        onChange={(event) => onChange({ ...parameter, name: event.currentTarget.value })}
      />
      <Select
        size="xs"
        aria-label={t('typeOf', { name: parameterName })}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={faultOf('/type')}
        data={PARAMETER_TYPES.map((typeOption) => ({ value: typeOption, label: t(`type_${typeOption}`) }))}
        value={type}
        onChange={(next) => onChange({ ...parameter, type: next, default: null })}
      />
      <ParameterValueField
        isLabelHidden
        type={type}
        label={t('defaultOf', { name: parameterName })}
        value={parameter.default}
        error={faultOf('/default')}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...parameter, default: next })}
      />
      <Checkbox
        size="xs"
        label={t('required')}
        disabled={isReadOnly}
        checked={required}
        onChange={(event) => onChange({ ...parameter, required: event.currentTarget.checked })}
      />
      <TextInput
        size="xs"
        className={styles['about']!}
        aria-label={t('aboutOf', { name: parameterName })}
        placeholder={t('description')}
        error={faultOf('/description')}
        readOnly={isReadOnly}
        value={parameter.description ?? ''}
        onChange={(event) => onChange({ ...parameter, description: event.currentTarget.value || null })}
      />
    </>
  )
}

interface Props {
  form: FormState<CompilableForm>
  flaws: readonly ApiScriptFlaw[]
  isReadOnly: boolean
}

/** The arguments that it takes, with their types and what they are when they are not given. */
export function ParameterFields({ form, flaws, isReadOnly }: Props) {
  const t = useTranslator(scriptTexts)
  const { parameters } = form.value.value
  const findFault = (at: string): string | undefined =>
    form.faultAt(at) ?? flaws.find(({ path, severity }) => path === at && severity === 'error')?.message
  return (
    <div className={styles['stack']}>
      {parameters.length === 0 && <small>{t('noParameters')}</small>}
      <LineList
        values={parameters}
        onChange={(next) => form.set('/value/parameters', next)}
        addLabel={t('addParameter')}
        fresh={(): CompilableFormParameter => ({
          name: '',
          type: 'string',
          required: false,
          default: null,
          description: null,
        })}
        removeLabel={({ name }) => t('removeNamed', { name: name ?? '' })}
        isReadOnly={isReadOnly}
        className={styles['parameter']}
      >
        {(parameter, place) => (
          <ParameterLine
            parameter={parameter}
            isReadOnly={isReadOnly}
            faultOf={(member) => findFault(`/value/parameters/${place}${member}`)}
            onChange={(next) => form.set('/value/parameters', parameters.with(place, next))}
          />
        )}
      </LineList>
    </div>
  )
}
