//! Enums whose variants have names: each is written beside its variant, once.

/// Makes an enum with `ALL`, its variants in order; `name`, which is written behind each; and
/// `Display`, which prints that.
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $Enum:ident { $($(#[$doc:meta])* $variant:ident = $name:literal,)+ }
    ) => {
        $(#[$about])*
        pub enum $Enum { $($(#[$doc])* $variant,)+ }

        impl $Enum {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Its name. It never changes.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }
        }

        impl std::fmt::Display for $Enum {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

pub(crate) use named;
