import { Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { scriptTexts } from './texts.ts'

interface Props<T> {
  kind: ResourceDefinition<T>
  /** Makes the copy. */
  copy(): Promise<T>
  /** True if the document has secrets: they cannot be read, so the copy does not contain them. */
  hasSecrets?: boolean
}

/** An item of the menu: a copy of what is stored, and its page. */
export function DuplicateMenuEntry<T extends { name: string }>({ kind, copy, hasSecrets = false }: Props<T>) {
  const t = useTranslator(scriptTexts)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const duplicate = async (): Promise<void> => {
    const copyResult = await copy().catch((error: unknown) => error as Error)
    if (copyResult instanceof Error) return showToast(copyResult.message)
    await queryClient.invalidateQueries({ queryKey: [kind.list] })
    showToast(t(hasSecrets ? 'copiedWithoutSecrets' : 'copied', { name: copyResult.name }))
    await navigate({ to: kind.pathOf(kind.idOf(copyResult)) })
  }
  return (
    <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void duplicate()}>
      {t('duplicate')}
    </Menu.Item>
  )
}
