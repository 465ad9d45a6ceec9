import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive. */
export interface Member {
  name: string
  data: Buffer
  flags?: number
  /** What the directory says of the offset and of the packed size, where that is false. */
  wrong?: { offset?: number; packed?: number; extra?: Buffer }
}

/** A zip archive (deflated, no zip64) with its members in the order given. */
export function zip(members: Member[]): Buffer {
  const parts: Buffer[] = []
  const directoryParts: Buffer[] = []
  let offset = 0
  for (const { name, data, flags = 0, wrong = {} } of members) {
    const packed = deflateRawSync(data)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(wrong.offset ?? offset, 10)
    const { extra = Buffer.alloc(0) } = wrong
    const listed = Buffer.from(common)
    listed.writeUInt32LE(wrong.packed ?? packed.length, 14)
    listed.writeUInt16LE(extra.length, 24)
    directoryParts.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), listed, tail, Buffer.from(name), extra)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), common, Buffer.from(name), packed])
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directoryParts)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}
