import { Select } from '@mantine/core'
import { readPointerValue } from '../../components/form/pointers.ts'
import { GatewaySchemaFields, type SchemaFieldContext, settingPointer } from './GatewaySchemaFields.tsx'
import styles from './GatewaysPage.module.css'
import { findVariantName, listSchemaSettings, type SettingSchema } from './schema.ts'
import { useGatewayLabels } from './words.ts'

/** The variant that a value is of; undefined where there is none. */
function chosenOf(variants: readonly SettingSchema[], value: unknown): SettingSchema | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const { type } = value as { type?: unknown }
  return variants.find((one) => findVariantName(one) === type || findVariantName(one) in value)
}

/** One of several forms of a setting, with what that form asks for. */
export function VariantField({ schema, ...place }: SchemaFieldContext & { schema: SettingSchema }) {
  const words = useGatewayLabels()
  const { form, path, isReadOnly } = place
  const at = settingPointer(path)
  const variants = schema.anyOf ?? []
  const chosen = chosenOf(variants, readPointerValue(form.value, at))
  const choose = (name: string | null): void => {
    const next = variants.find((one) => findVariantName(one) === name)
    const hasType = next?.properties?.['type']?.const !== undefined
    form.set(at, next && (hasType ? { type: name } : { [findVariantName(next)]: '' }))
  }
  const asked = chosen ? listSchemaSettings(chosen).filter(([, one]) => one.const === undefined) : []
  return (
    <div className={styles['group']}>
      <Select
        label={words.label(path)}
        description={words.help(path)}
        error={form.faultAt(at)}
        maw={560}
        clearable
        readOnly={isReadOnly}
        data={variants.map((one) => ({ value: findVariantName(one), label: words.value(path, findVariantName(one)) }))}
        value={chosen ? findVariantName(chosen) : null}
        onChange={choose}
      />
      {asked.length > 0 && (
        <div className={styles['nested']}>
          <GatewaySchemaFields {...place} settings={asked} />
        </div>
      )}
    </div>
  )
}
