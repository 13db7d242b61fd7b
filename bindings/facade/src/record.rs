//! The records and enumerations of the doors, of which every field and every value is one line. It never
//! decides what a value means; the files that declare a record do.

/// Declares records and enumerations.
///
/// A line of a record is a field, its type, and its value, which `new` reads from the arguments. A record
/// `of` a type of the library can also be given: where `=> check` names a function, `change` hands it the
/// field, and puts what it returns into the place from which `new` reads. A line of an enumeration is a
/// value, and in brackets the library's.
macro_rules! record {
    () => {};
    ($(#[$about:meta])* $name:ident($($from:ident: $of:ty),+) {
        $($(#[$doc:meta])* $field:ident: $kind:ty = $value:expr;)+
    } $($rest:tt)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[repr(C)]
        pub struct $name { $($(#[$doc])* pub $field: $kind,)+ }

        impl $name {
            /// For the doors that are Rust.
            #[doc(hidden)]
            pub fn new($($from: $of),+) -> Self {
                Self { $($field: $crate::record::told($value),)+ }
            }
        }
        record! { $($rest)* }
    };
    ($(#[$about:meta])* $name:ident of $core:ident: $of:ty {
        $($(#[$doc:meta])* $field:ident: $kind:ty = $value:expr $(=> $check:ident)?;)+
    } $($rest:tt)*) => {
        record! { $(#[$about])* $name($core: &$of) { $($(#[$doc])* $field: $kind = $value;)+ } $($rest)* }

        impl $name {
            /// Changes what the library keeps to this record. On an error nothing changes.
            pub(crate) fn change(&self, kept: &mut $of) -> $crate::Result<()> {
                let mut changed = <$of>::clone(kept);
                let $core = &mut changed;
                $($($value = $check(stringify!($field), self.$field)?;)?)+
                *kept = changed;
                Ok(())
            }
        }
    };
    ($(#[$about:meta])* $name:ident from $of:ty {
        $(#[$doc:meta])* $first:ident [$($one:tt)+];
        $($(#[$docs:meta])* $value:ident [$($core:tt)+];)+
    } $($rest:tt)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[repr(i32)]
        pub enum $name { $(#[$doc])* #[default] $first, $($(#[$docs])* $value),+ }

        impl From<$of> for $name {
            fn from(core: $of) -> Self {
                match core {
                    $($one)+ => Self::$first,
                    $($($core)+ => Self::$value,)+
                    #[allow(unreachable_patterns, reason = "some types of the library may grow")]
                    _ => Self::$first,
                }
            }
        }
        record! { $($rest)* }
    };
}

/// A value of the library as a record has it. What a record has no room for, the library does not take.
pub(crate) fn told<C, T: TryFrom<C> + Default>(value: C) -> T {
    T::try_from(value).unwrap_or_default()
}
