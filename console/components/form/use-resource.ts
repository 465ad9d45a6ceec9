import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Stored } from './use-form.ts'

/** In the place of an id: one that the first save makes. */
export const NEW = 'new'

/** What a change of a document is sent with, so that it changes no other version than the one that was read. */
export type Precondition = { 'if-match'?: string }

/** Documents of one kind: how the interface reads and writes them, and where their pages are. */
export interface Kind<T> {
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
  read(id: string, init: { signal?: AbortSignal }): Promise<Stored<T>>
  create(value: T): Promise<Stored<T>>
  replace(id: string, value: T, headers: Precondition): Promise<Stored<T>>
  remove(id: string): Promise<unknown>
}

/** The words of a deletion. */
export interface Removal {
  title: string
  action: string
  why: string
  done: string
}

/** One document as it is stored, or the beginning of a new one. */
export function useStored<T>(kind: Kind<T>, id: string) {
  return useQuery({
    queryKey: [kind.name, id],
    queryFn: ({ signal }): Promise<Stored<T>> | Stored<T> =>
      id === NEW ? { data: kind.blank, etag: null } : kind.read(id, { signal }),
    refetchOnWindowFocus: false,
  })
}

/** What `ResourcePage` needs of a document: created or replaced, read anew, deleted, and the lists that show it read again. */
export function useResource<T>(kind: Kind<T>, id: string, removal: Removal) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const isNew = id === NEW
  const relist = (): Promise<void> => queries.invalidateQueries({ queryKey: [kind.list] })
  return {
    name: `${kind.name}.${id}`,
    isNew,
    ...(kind.kept && { kept: kind.kept }),
    save: (value: T, etag: string | null): Promise<Stored<T>> =>
      isNew ? kind.create(value) : kind.replace(id, value, etag === null ? {} : { 'if-match': etag }),
    load: () => kind.read(id, {}),
    onSaved: (next: Stored<T>): void => {
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
