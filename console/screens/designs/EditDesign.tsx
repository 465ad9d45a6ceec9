import { Menu } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { api, data, versioned } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { DesignEditor } from '../../components/design/DesignEditor.tsx'
import { BLANK, useTemplates } from '../../components/design/model/templates.ts'
import { FieldGroup, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Stored } from '../../components/form/use-form.ts'
import { type Kind, NEW, useResource, useStored } from '../../components/form/use-resource.ts'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { designsTexts } from './texts.ts'

const route = getRouteApi('/designs/$id')
const fresh = getRouteApi('/designs/new')

type Saved = Answer<'/designs/{id}', 'get'>

function bodyOf({ name, description, category, type, design }: Saved) {
  return { name, description: description || null, category: category || null, type, design }
}

const at = (id: string) => ({ path: { id } })

const designKind: Kind<Saved> = {
  ...{ name: 'design', list: 'designs', home: '/designs', pathOf: pathOf.design, idOf: ({ id }) => String(id) },
  blank: {
    ...{ id: 0, name: '', description: null, category: null, type: 'design', creationDate: '', updateDate: '' },
    design: BLANK,
  },
  read: (id, init) => versioned(api.GET('/designs/{id}', { params: at(id), ...init })),
  create: (design) => versioned(api.POST('/designs', { body: bodyOf(design) })),
  replace: (id, design, headers) =>
    versioned(api.PUT('/designs/{id}', { params: at(id), headers, body: bodyOf(design) })),
  remove: (id) => data(api.DELETE('/designs/{id}', { params: at(id) })),
}

function Form({ id, stored }: { id: string; stored: Stored<Saved> }) {
  const t = useText(designsTexts)
  const navigate = useNavigate()
  const isReadOnly = !useMay('write')
  const { name } = stored.data
  const resource = useResource(designKind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  const duplicate = !resource.isNew && !isReadOnly && (
    <Menu.Item
      leftSection={<IconCopy size={16} aria-hidden />}
      onClick={() => void navigate({ to: '/designs/new', search: { from: id } })}
    >
      {t('duplicate')}
    </Menu.Item>
  )
  return (
    <ResourcePage<Saved>
      {...resource}
      title={resource.isNew ? t('newDesign') : name}
      parent={{ label: t('designs'), to: '/designs' }}
      stored={stored}
      isReadOnly={isReadOnly}
      menu={duplicate}
      pointers={['/name', '/description', '/category']}
      nameOf={(pointer) => {
        const [, member = '', part] = pointer.split('/')
        if (member === 'name' || member === 'description' || member === 'category') return t(member)
        return t(part === 'rows' ? 'rowsAndBlocks' : part === 'theme' ? 'theme' : 'design')
      }}
    >
      {(form) => (
        <>
          <FieldGroup>
            <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
            <TextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} />
            <TextField form={form} at="/category" label={t('category')} isReadOnly={isReadOnly} />
          </FieldGroup>
          <DesignEditor
            design={form.value.design}
            onChange={(design) => form.set('/design', design)}
            label={t('design')}
            isReadOnly={isReadOnly}
          />
        </>
      )}
    </ResourcePage>
  )
}

/** A design that is made: from nothing, a template of the program, or one that is saved. */
export function NewDesign() {
  const t = useText(designsTexts)
  const { from, language } = fresh.useSearch()
  const templates = useTemplates(language)
  const isSaved = from !== undefined && /^\d+$/.test(from)
  const read = useQuery({
    queryKey: ['design', NEW, from, language, templates.data !== undefined],
    enabled: from === undefined || isSaved || templates.data !== undefined,
    queryFn: async ({ signal }): Promise<Stored<Saved>> => {
      const { blank } = designKind
      if (isSaved) {
        const { name, description, category, type, design } = (await designKind.read(from, { signal })).data
        const copied = { name: t('copyName', { name }), description, category, type, design }
        return { data: { ...blank, ...copied }, etag: null }
      }
      const template = templates.data?.find(({ id }) => id === from)
      return { data: template ? { ...blank, name: template.name, design: template.design } : blank, etag: null }
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded
      read={{
        data: read.data,
        error: read.error ?? templates.error,
        refetch: templates.error ? templates.refetch : read.refetch,
      }}
      title={t('newDesign')}
      parent={{ label: t('designs'), to: '/designs' }}
    >
      {(stored) => <Form key={`${from} ${language}`} id={NEW} stored={stored} />}
    </Loaded>
  )
}

function Edit({ id }: { id: string }) {
  const t = useText(designsTexts)
  return (
    <Loaded read={useStored(designKind, id)} title={t('design')} parent={{ label: t('designs'), to: '/designs' }}>
      {(stored) => <Form key={id} id={id} stored={stored} />}
    </Loaded>
  )
}

/** A saved design. */
export function EditDesign() {
  return <Edit id={route.useParams().id} />
}
