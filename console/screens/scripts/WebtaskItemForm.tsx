import type { ApiRequestBody } from '../../api/shapes.ts'
import { ContactField } from '../../components/ContactField.tsx'
import { memberPointer } from '../../components/form/pointers.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { type NamedScriptValue, NamedValueLines } from './NamedValueLines.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

/** Input of a webtask run. */
export type WebtaskRunItem = NonNullable<ApiRequestBody<'executeWebtask'>>

interface Props {
  item: WebtaskRunItem
  onChange(item: WebtaskRunItem): void
  faultAt(pointer: string): string | undefined
}

/** Members that have fields here. */
const FORM_MEMBERS = ['receiver', 'data', 'variables']

/** Members written as JSON may have any type. */
const listVariables = (rawVariables: unknown): NamedScriptValue[] =>
  (Array.isArray(rawVariables) ? rawVariables : []).map(
    (rawVariable: Partial<{ key: string; value: unknown }> | null): NamedScriptValue => [
      String(rawVariable?.key ?? ''),
      rawVariable?.value,
    ],
  )

/** An item in fields: a contact, data, variables. What else is in it stays, and is written as JSON. */
export function WebtaskItemForm({ item, onChange, faultAt }: Props) {
  const t = useTranslator(scriptTexts)
  const { receiver = null, data, variables } = item
  const receiverId = receiver?.type === 'id' && typeof receiver.value === 'string' ? receiver.value : null
  const otherMembers = Object.keys(item).filter((name) => !FORM_MEMBERS.includes(name))
  const omitMember = (name: keyof WebtaskRunItem): WebtaskRunItem =>
    Object.fromEntries(Object.entries(item).filter(([memberName]) => memberName !== name))
  const chooseReceiver = (id: string | null): void =>
    onChange(id === null ? omitMember('receiver') : { ...item, receiver: { type: 'id', value: id } })
  const setVariables = (lines: readonly NamedScriptValue[]): void =>
    onChange(
      lines.length === 0
        ? omitMember('variables')
        : { ...item, variables: lines.map(([key, value]) => ({ key, value })) },
    )
  return (
    <div className={styles['stack']}>
      {receiver === null || receiverId !== null ? (
        <ContactField
          size="xs"
          label={t('contact')}
          help={t('contactHelp')}
          value={receiverId}
          onChange={chooseReceiver}
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
        values={listVariables(variables)}
        onChange={setVariables}
        faultOf={(_, place) => faultAt(`/variables/${place}/value`) ?? faultAt(`/variables/${place}/key`)}
      />
      {otherMembers.length > 0 && <small>{t('moreInJson', { names: otherMembers.join(', ') })}</small>}
    </div>
  )
}
