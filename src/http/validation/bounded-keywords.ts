import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt, Name } from 'ajv'
import additionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties.js'
import items from 'ajv/dist/vocabularies/applicator/items.js'
import patternProperties from 'ajv/dist/vocabularies/applicator/patternProperties.js'
import propertyNames from 'ajv/dist/vocabularies/applicator/propertyNames.js'

/** Errors after which the validator stops: several of them may be one fault. */
export const MAX_VALIDATION_ERRORS = 1000

const errors = new Name('errors')

/** Makes the next loop that a keyword generates end as soon as there are enough errors. */
function boundLoop({ gen }: KeywordCxt, write: () => void): void {
  const { forIn, forRange } = gen
  const restore = (): void => void Object.assign(gen, { forIn, forRange })
  const bounded =
    (body: (name: Name) => void) =>
    (name: Name): void => {
      restore()
      gen.if(_`${errors} >= ${MAX_VALIDATION_ERRORS}`, () => gen.break())
      body(name)
      rebind()
    }
  const rebind = (): void => {
    gen.forIn = (name, data, body, kind) => forIn.call(gen, name, data, bounded(body), kind)
    gen.forRange = (name, from, to, body, kind) => forRange.call(gen, name, from, to, bounded(body), kind)
  }
  rebind()
  write()
  restore()
}

/** A keyword that iterates: not over a value that is too long already, and only until enough errors are listed. */
function bounded(definition: CodeKeywordDefinition, limitName: 'maxItems' | 'maxProperties'): CodeKeywordDefinition {
  return {
    ...definition,
    code(cxt) {
      const { gen, data, parentSchema } = cxt
      const limit: unknown = parentSchema[limitName]
      const write = (): void => boundLoop(cxt, () => definition.code(cxt))
      if (typeof limit !== 'number') write()
      else
        gen.if(
          limitName === 'maxItems' ? _`${data}.length <= ${limit}` : _`Object.keys(${data}).length <= ${limit}`,
          write,
        )
    },
  }
}

/**
 * Makes the keywords of a validator that lists all errors stop: after `MAX_VALIDATION_ERRORS`, and before items whose number is
 * refused. Otherwise a short request asks for an error of each of a million items.
 */
export function boundSchemaKeywords(ajv: Ajv): void {
  const definitions = [
    [items.default, 'maxItems'],
    [additionalProperties.default, 'maxProperties'],
    [patternProperties.default, 'maxProperties'],
    [propertyNames.default, 'maxProperties'],
  ] as const
  for (const [definition, most] of definitions) {
    ajv.removeKeyword(definition.keyword as string)
    ajv.addKeyword(bounded(definition, most))
  }
}
