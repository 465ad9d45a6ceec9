import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { StoredDocument } from './use-form.ts'

/** In the place of an id: one that the first save makes. */
export const NEW_RESOURCE_ID = 'new'

/** What a change of a document is sent with, so that it changes no other version than the one that was read. */
export type WritePrecondition = { 'if-match'?: string }

/** Documents of one kind: how the interface reads and writes them, and where their pages are. */
export interface ResourceDefinition<T> {
  /** What one of them is kept by, in drafts and among answers: `rule`. */
  name: string
  /** What the list of them is kept by: `rules`. */
  list: string
  /** The page of the list. */
  home: string
  /** The page of one. */
  pathOf(id: string): string
  idOf(value: T): string
  /** What a form of a new one begins with. */
  blank: T
  /** What of it this browser may keep as a draft: all but secrets. */
  kept?: (value: T) => T
  read(id: string, init: { signal?: AbortSignal }): Promise<StoredDocument<T>>
  create(value: T): Promise<StoredDocument<T>>
  replace(id: string, value: T, headers: WritePrecondition): Promise<StoredDocument<T>>
  remove(id: string): Promise<unknown>
}

/** The words of a deletion. */
export interface RemovalTexts {
  title: string
  action: string
  why: string
  done: string
}

/** One document as it is stored, or the beginning of a new one. */
export function useStoredDocument<T>(kind: ResourceDefinition<T>, id: string) {
  return useQuery({
    queryKey: [kind.name, id],
    queryFn: ({ signal }): Promise<StoredDocument<T>> | StoredDocument<T> =>
      id === NEW_RESOURCE_ID ? { data: kind.blank, etag: null } : kind.read(id, { signal }),
    refetchOnWindowFocus: false,
  })
}

/** What `ResourcePage` needs of a document: created or replaced, read anew, deleted, and the lists that show it read again. */
export function useResource<T>(kind: ResourceDefinition<T>, id: string, removal: RemovalTexts) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const isNew = id === NEW_RESOURCE_ID
  const relist = (): Promise<void> => queries.invalidateQueries({ queryKey: [kind.list] })
  return {
    name: `${kind.name}.${id}`,
    isNew,
    ...(kind.kept && { kept: kind.kept }),
    save: (value: T, etag: string | null): Promise<StoredDocument<T>> =>
      isNew ? kind.create(value) : kind.replace(id, value, etag === null ? {} : { 'if-match': etag }),
    load: () => kind.read(id, {}),
    onSaved: (next: StoredDocument<T>): void => {
      void relist()
      const made = kind.idOf(next.data)
      queries.setQueryData([kind.name, made], next)
      if (isNew) void navigate({ to: kind.pathOf(made), replace: true })
    },
    ...(!isNew && {
      removal: {
        ...removal,
        remove: async () => {
          await kind.remove(id)
          await relist()
          await navigate({ to: kind.home })
        },
      },
    }),
  }
}
