import { useEffect, useRef } from "preact/hooks";

/** Empty room as high as the rows that are not drawn, in pixels. */
export function Spacer({ height }: { readonly height: number }) {
  const room = useRef<HTMLDivElement>(null);
  useEffect(() => {
    room.current!.style.height = `${height}px`;
  }, [height]);
  return <div ref={room} aria-hidden="true" />;
}
