import type { ApiRequestBody } from '../../api/shapes.ts'
import { ContactField } from '../../components/ContactField.tsx'
import { memberPointer } from '../../components/form/pointers.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { type NamedScriptValue, NamedValueLines } from './NamedValueLines.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

/** What a webtask is run with. */
export type WebtaskRunItem = NonNullable<ApiRequestBody<'/scripting/webtasks/{id}/execution', 'post'>>

interface Props {
  item: WebtaskRunItem
  onChange(item: WebtaskRunItem): void
  faultAt(pointer: string): string | undefined
}

/** Members that have fields here. */
const HERE = ['receiver', 'data', 'variables']

/** What was written as JSON may be anything. */
const variablesOf = (given: unknown): NamedScriptValue[] =>
  (Array.isArray(given) ? given : []).map(
    (one: Partial<{ key: string; value: unknown }> | null): NamedScriptValue => [String(one?.key ?? ''), one?.value],
  )

/** An item in fields: a contact, data, variables. What else is in it stays, and is written as JSON. */
export function WebtaskItemForm({ item, onChange, faultAt }: Props) {
  const t = useTranslator(scriptTexts)
  const { receiver = null, data, variables } = item
  const chosen = receiver?.type === 'id' && typeof receiver.value === 'string' ? receiver.value : null
  const others = Object.keys(item).filter((name) => !HERE.includes(name))
  const without = (name: keyof WebtaskRunItem): WebtaskRunItem =>
    Object.fromEntries(Object.entries(item).filter(([other]) => other !== name))
  const choose = (id: string | null): void =>
    onChange(id === null ? without('receiver') : { ...item, receiver: { type: 'id', value: id } })
  const setVariables = (lines: readonly NamedScriptValue[]): void =>
    onChange(
      lines.length === 0 ? without('variables') : { ...item, variables: lines.map(([key, value]) => ({ key, value })) },
    )
  return (
    <div className={styles['stack']}>
      {receiver === null || chosen !== null ? (
        <ContactField
          size="xs"
          label={t('contact')}
          help={t('contactHelp')}
          value={chosen}
          onChange={choose}
          error={faultAt('/receiver') ?? faultAt('/receiver/value')}
        />
      ) : (
        <small>{t('otherContact')}</small>
      )}
      <NamedValueLines
        label={t('data')}
        help={t('dataHelp')}
        addLabel={t('addValue')}
        values={Object.entries(data ?? {})}
        onChange={(lines) => onChange({ ...item, data: Object.fromEntries(lines) })}
        faultOf={(name) => faultAt(memberPointer('/data', name))}
      />
      <NamedValueLines
        label={t('variables')}
        help={t('variablesHelp')}
        addLabel={t('addVariable')}
        values={variablesOf(variables)}
        onChange={setVariables}
        faultOf={(_, place) => faultAt(`/variables/${place}/value`) ?? faultAt(`/variables/${place}/key`)}
      />
      {others.length > 0 && <small>{t('moreInJson', { names: others.join(', ') })}</small>}
    </div>
  )
}
