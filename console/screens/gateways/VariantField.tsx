import { Select } from '@mantine/core'
import { valueAt } from '../../components/form/pointers.ts'
import styles from './Gateways.module.css'
import { type Place, pointerTo, SchemaFields } from './SchemaFields.tsx'
import { type Schema, settingsOf, variantOf } from './schema.ts'
import { useWords } from './words.ts'

/** The variant that a value is of; undefined where there is none. */
function chosenOf(variants: readonly Schema[], value: unknown): Schema | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const { type } = value as { type?: unknown }
  return variants.find((one) => variantOf(one) === type || variantOf(one) in value)
}

/** One of several forms of a setting, with what that form asks for. */
export function VariantField({ schema, ...place }: Place & { schema: Schema }) {
  const words = useWords()
  const { form, path, isReadOnly } = place
  const at = pointerTo(path)
  const variants = schema.anyOf ?? []
  const chosen = chosenOf(variants, valueAt(form.value, at))
  const choose = (name: string | null): void => {
    const next = variants.find((one) => variantOf(one) === name)
    const hasType = next?.properties?.['type']?.const !== undefined
    form.set(at, next && (hasType ? { type: name } : { [variantOf(next)]: '' }))
  }
  const asked = chosen ? settingsOf(chosen).filter(([, one]) => one.const === undefined) : []
  return (
    <div className={styles['group']}>
      <Select
        label={words.label(path)}
        description={words.help(path)}
        error={form.faultAt(at)}
        maw={560}
        clearable
        readOnly={isReadOnly}
        data={variants.map((one) => ({ value: variantOf(one), label: words.value(path, variantOf(one)) }))}
        value={chosen ? variantOf(chosen) : null}
        onChange={choose}
      />
      {asked.length > 0 && (
        <div className={styles['nested']}>
          <SchemaFields {...place} settings={asked} />
        </div>
      )}
    </div>
  )
}
