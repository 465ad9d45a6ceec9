import type { Body } from '../../api/shapes.ts'
import { ContactField } from '../../components/ContactField.tsx'
import { memberAt } from '../../components/form/pointers.ts'
import { useText } from '../../text/catalogue.ts'
import { MemberLines, type Named } from './MemberLines.tsx'
import styles from './Scripts.module.css'
import { scriptTexts } from './texts.ts'

/** What a webtask is run with. */
export type Item = NonNullable<Body<'/scripting/webtasks/{id}/execution', 'post'>>

interface Props {
  item: Item
  onChange(item: Item): void
  faultAt(pointer: string): string | undefined
}

/** Members that have fields here. */
const HERE = ['receiver', 'data', 'variables']

/** What was written as JSON may be anything. */
const variablesOf = (given: unknown): Named[] =>
  (Array.isArray(given) ? given : []).map(
    (one: Partial<{ key: string; value: unknown }> | null): Named => [String(one?.key ?? ''), one?.value],
  )

/** An item in fields: a contact, data, variables. What else is in it stays, and is written as JSON. */
export function ItemForm({ item, onChange, faultAt }: Props) {
  const t = useText(scriptTexts)
  const { receiver = null, data, variables } = item
  const chosen = receiver?.type === 'id' && typeof receiver.value === 'string' ? receiver.value : null
  const others = Object.keys(item).filter((name) => !HERE.includes(name))
  const without = (name: keyof Item): Item =>
    Object.fromEntries(Object.entries(item).filter(([other]) => other !== name))
  const choose = (id: string | null): void =>
    onChange(id === null ? without('receiver') : { ...item, receiver: { type: 'id', value: id } })
  const setVariables = (lines: readonly Named[]): void =>
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
      <MemberLines
        label={t('data')}
        help={t('dataHelp')}
        addLabel={t('addValue')}
        values={Object.entries(data ?? {})}
        onChange={(lines) => onChange({ ...item, data: Object.fromEntries(lines) })}
        faultOf={(name) => faultAt(memberAt('/data', name))}
      />
      <MemberLines
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
